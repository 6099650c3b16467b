package io.seriatim;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.net.URLDecoder;
import java.net.URLEncoder;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What a counter row knows beside its mark: how far its ledger goes, whether its period is closed, and which numbers are
 * neither used nor to be used for good.
 *
 * @param periods of a counter that stands for all periods of a scope: which is the latest
 * @param open reservations, in order of their making
 * @param released values that were reserved and given back, in order of the values; the next reservations get them
 */
record Account(Head head, Closing closing, Periods periods, List<Open> open, List<Long> released) {

    /*
     * It lies in the counter row, so whatever is decided by it is decided in the write that changes it.
     *
     *     latest 2026-07-01/2026-07 2026-06-01/2026-06
     *     ledger 17 9f86d08188… 1 5; closed; open 5 4fd1a20c99b1e7d3.12 600 2026-11-28T10:11:12Z [note]; released 2,3
     *
     * The note is percent-encoded, so neither a separator nor a blank is in it.
     *
     * A new value is reserved only when no released one is left, so open and released values together are never more
     * than MOST_OPEN.
     *
     * A text is understood only if writing what was read gives the same text again; all else is damage.
     */

    /** More reservations of one counter than this at once are refused: each is written again with every number. */
    static final int MOST_OPEN = 1_000;

    private static final String SEPARATOR = "; ";
    private static final String LEDGER = "ledger";
    private static final String OPEN = "open";
    private static final String RELEASED = "released";
    private static final String LATEST = "latest";

    static final Account EMPTY = new Account(Head.NONE, Closing.OPEN, Periods.NONE, List.of(), List.of());

    /**
     * Periods of a scope, as texts whose order is that of time.
     *
     * @param latest empty where none has begun
     * @param leaving the one before, while its counter may still be open; else empty
     */
    record Periods(String latest, String leaving) {

        static final Periods NONE = new Periods("", "");

        private String text() {
            return LATEST + " " + latest + (leaving.isEmpty() ? "" : " " + leaving);
        }
    }

    /**
     * The end of a ledger.
     *
     * @param entries how many there are
     * @param hash of the last one
     * @param generation of the counter when values were last taken
     * @param top the value farthest in the direction of the increment that was taken in this generation
     */
    record Head(long entries, String hash, long generation, long top) {

        static final Head NONE = new Head(0, "", 0, 0);
    }

    /** Whether the period is over. */
    enum Closing {
        OPEN,
        /** Somebody has closed it. */
        CLOSED,
        /** A later period has begun. */
        LEFT;

        String text() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * A reservation that nobody has ended.
     *
     * @param seconds how long it is held at least, from when a process first sees it
     * @param since the wall clock when it was made, for display
     * @param note what its maker wants to know of it later
     * @param text as the counter row has it; made once, for it is written again with every change of the counter
     */
    record Open(ReservationId id, int seconds, Instant since, String note, String text) {

        Open(ReservationId id, int seconds, Instant since, String note) {
            this(
                    id,
                    seconds,
                    since,
                    note,
                    OPEN + " " + id.value() + " " + ReservationId.text(id.mark()) + " " + seconds + " " + since + " ["
                            + URLEncoder.encode(note, UTF_8) + "]");
        }

        long value() {
            return id.value();
        }

        private static Open parse(String[] words) {
            return new Open(
                    new ReservationId(Long.parseLong(words[1]), ReservationId.mark(words[2])),
                    Integer.parseInt(words[3]),
                    Instant.parse(words[4]),
                    URLDecoder.decode(words[5].substring(1, words[5].length() - 1), UTF_8));
        }
    }

    Account {
        open = List.copyOf(open);
        released = List.copyOf(released);
    }

    /**
     * The account in a counter row.
     *
     * @throws StoreUnavailableException STORE_CORRUPT if the text is not understood
     */
    static Account parse(String text) {
        if (text.isEmpty()) {
            return EMPTY;
        }
        return StrictText.read(
                text,
                Account::read,
                Account::text,
                "the stored account of a counter is not understood: account=" + text);
    }

    private static Account read(String text) {
        Head head = Head.NONE;
        Closing closing = Closing.OPEN;
        Periods periods = Periods.NONE;
        List<Open> open = new ArrayList<>();
        List<Long> released = new ArrayList<>();
        for (String part : text.split(SEPARATOR)) {
            String[] words = part.split(" ");
            switch (words[0]) {
                case LEDGER ->
                    head = new Head(
                            Long.parseLong(words[1]), words[2], Long.parseLong(words[3]), Long.parseLong(words[4]));
                case LATEST -> periods = new Periods(words[1], words.length > 2 ? words[2] : "");
                case OPEN -> open.add(Open.parse(words));
                case RELEASED -> {
                    for (String value : words[1].split(",")) {
                        released.add(Long.parseLong(value));
                    }
                }
                default -> closing = Closing.valueOf(words[0].toUpperCase(Locale.ROOT));
            }
        }
        return new Account(head, closing, periods, open, released);
    }

    String text() {
        Stream<String> ledger = head.entries() == 0
                ? Stream.of()
                : Stream.of(
                        LEDGER + " " + head.entries() + " " + head.hash() + " " + head.generation() + " " + head.top());
        Stream<String> closed = isClosed() ? Stream.of(closing.text()) : Stream.of();
        Stream<String> back = released.isEmpty()
                ? Stream.of()
                : Stream.of(
                        RELEASED + " " + released.stream().map(String::valueOf).collect(Collectors.joining(",")));
        Stream<String> latest = periods.equals(Periods.NONE) ? Stream.of() : Stream.of(periods.text());
        return Stream.of(latest, ledger, closed, open.stream().map(Open::text), back)
                .flatMap(parts -> parts)
                .collect(Collectors.joining(SEPARATOR));
    }

    boolean isClosed() {
        return closing != Closing.OPEN;
    }

    /** @throws NumberRefusedException PERIOD_CLOSED or PERIOD_BACKWARDS */
    void requireNotClosed() {
        switch (closing) {
            case OPEN -> {}
            case CLOSED ->
                throw new NumberRefusedException(
                        ErrorCode.PERIOD_CLOSED, "the period is closed: no number of it is given any more");
            case LEFT ->
                throw new NumberRefusedException(
                        ErrorCode.PERIOD_BACKWARDS,
                        "a later period has begun: no number of this one is given any more");
        }
    }

    Optional<Open> find(ReservationId id) {
        return open.stream().filter(each -> each.id().equals(id)).findFirst();
    }

    Account with(Head next) {
        return new Account(next, closing, periods, open, released);
    }

    Account with(Closing next) {
        return new Account(head, next, periods, open, released);
    }

    Account with(Periods next) {
        return new Account(head, closing, next, open, released);
    }

    Account opening(Open more) {
        List<Open> all = new ArrayList<>(open);
        all.add(more);
        return new Account(head, closing, periods, all, released);
    }

    Account ending(Open one) {
        return new Account(
                head,
                closing,
                periods,
                open.stream().filter(each -> !each.equals(one)).toList(),
                released);
    }

    Account releasing(long value) {
        List<Long> all = new ArrayList<>(released);
        all.add(value);
        return new Account(head, closing, periods, open, all.stream().sorted().toList());
    }

    Account handingOut(long value) {
        return new Account(
                head,
                closing,
                periods,
                open,
                released.stream().filter(each -> each != value).toList());
    }
}
