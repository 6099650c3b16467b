package io.seriatim.verification;

import io.seriatim.verification.HistoryEvent.Contract;
import io.seriatim.verification.HistoryEvent.Defined;
import io.seriatim.verification.HistoryEvent.Wish;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;

/** A sequence of a kill loop, and what a client may ask of it. */
record Load(Defined sequence, List<Wish> calls, long mostValues) {

    private static final long MOST_VALUES = 20;
    private static final List<Wish> ONE = List.of(Wish.EXACTLY);
    private static final List<Wish> MANY = List.of(Wish.EXACTLY, Wish.AT_MOST);

    static final List<Load> ALL = List.of(
            new Load(up("one-by-one", Contract.FAST, OptionalLong.of(1)), ONE, 1),
            new Load(up("hundreds", Contract.FAST, OptionalLong.of(100)), ONE, 1),
            new Load(up("by-rate", Contract.FAST, OptionalLong.empty()), MANY, MOST_VALUES),
            new Load(down("down", Contract.FAST, OptionalLong.of(7)), MANY, MOST_VALUES),
            new Load(up("in-order", Contract.ORDERED, OptionalLong.empty()), ONE, 1),
            new Load(down("in-order-down", Contract.ORDERED, OptionalLong.empty()), MANY, MOST_VALUES));

    private static Defined up(String name, Contract contract, OptionalLong cache) {
        return new Defined(name, contract, 1, 1, 1, Long.MAX_VALUE, 1, cache);
    }

    private static Defined down(String name, Contract contract, OptionalLong cache) {
        return new Defined(name, contract, 1, -1, Long.MIN_VALUE, -1, -3, cache);
    }

    /** Defines the sequence, unless it is there. */
    void define(SequenceClient client) throws IOException, InterruptedException {
        String contract = sequence.contract().name().toLowerCase(Locale.ROOT);
        String cache =
                sequence.cache().isPresent() ? ",\"cache\":" + sequence.cache().getAsLong() : "";
        String body = "{\"contract\":\"" + contract + "\",\"start\":" + sequence.start() + ",\"min\":" + sequence.min()
                + ",\"max\":" + sequence.max() + ",\"increment\":" + sequence.increment() + cache + "}";
        HttpResponse<String> response = client.send("PUT", "/v1/sequences/" + sequence.sequence(), body);
        if (response.statusCode() != 201 && response.statusCode() != 200) {
            throw new IllegalStateException("cannot define " + sequence + ": " + response.body());
        }
    }
}
