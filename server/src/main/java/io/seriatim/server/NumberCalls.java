package io.seriatim.server;

import io.seriatim.CounterState;
import io.seriatim.ErrorCode;
import io.seriatim.GapReport;
import io.seriatim.LedgerEntry;
import io.seriatim.LedgerReport;
import io.seriatim.RequestKey;
import io.seriatim.Sequences;
import io.seriatim.numbering.Ask;
import io.seriatim.numbering.KnownNumber;
import io.seriatim.numbering.NumberCounter;
import io.seriatim.numbering.NumberSequence;
import io.seriatim.numbering.Numbering;
import io.seriatim.numbering.PrintedNumber;
import io.seriatim.numbering.ReservedNumber;
import java.math.BigInteger;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import tools.jackson.core.JsonGenerator;

/** The calls on what becomes of numbers, as docs/http.md has them: reservations, ledgers, periods. */
final class NumberCalls {

    private static final String SEQUENCE = "/v1/sequences/{name}";
    private static final String REASON = "reason";
    private static final String AFTER = "after";
    private static final String LIMIT = "limit";
    private static final String HEAD = "head";
    private static final String ALL = "all";

    private static final int MAX_LIST = 1_000;
    private static final int LIST = 100;

    /** Longer than any number or id of a reservation. */
    private static final int LONGEST_IN_PATH = 4_000;

    private static final Pattern HASH = Pattern.compile("[0-9a-f]{64}");

    /** Between period and scope where a counter is named; in no period's key. */
    private static final char SEPARATOR = '~';

    private final Sequences sequences;
    private final Numbering numbering;

    NumberCalls(Sequences sequences, Numbering numbering) {
        this.sequences = sequences;
        this.numbering = numbering;
    }

    void addTo(Routes routes) {
        routes.add("POST", SEQUENCE + "/reservations", ByName.found(this::reserve));
        routes.add("GET", SEQUENCE + "/reservations/{id}", ByName.found(this::reservation));
        routes.add("POST", SEQUENCE + "/reservations/{id}/confirm", ByName.found(this::confirm));
        routes.add("POST", SEQUENCE + "/reservations/{id}/cancel", ByName.found(this::cancel));
        routes.add("GET", SEQUENCE + "/numbers/{text}", ByName.found(this::number));
        routes.add("POST", SEQUENCE + "/numbers/{text}/void", ByName.found(this::voidNumber));
        routes.add("GET", SEQUENCE + "/gaps", ByName.found(this::gaps));
        routes.add("GET", SEQUENCE + "/ledger", ByName.found(this::ledger));
        routes.add("GET", SEQUENCE + "/verify", ByName.found(this::verify));
        routes.add("GET", SEQUENCE + "/periods", ByName.found(this::periods));
        routes.add("POST", SEQUENCE + "/periods/{key}/close", ByName.found(this::close));
    }

    private NumberSequence printing(List<String> names) {
        return ByName.printing(sequences, numbering, names.get(0));
    }

    /** Refuses a text that nothing of ours can have. */
    private static String inPath(String text, Problem otherwise) {
        if (text.length() > LONGEST_IN_PATH || text.chars().anyMatch(Character::isISOControl)) {
            throw new Refusal(otherwise);
        }
        return text;
    }

    // ---- reservations

    private Reply reserve(Call call, List<String> names) {
        Query.of(call);
        Fields fields = Fields.ofOptional(call.body()).only(List.of(AskJson.AT, AskJson.DATE, AskJson.SCOPE));
        Ask ask = AskJson.in(fields).orElse(Ask.NOW);
        Optional<RequestKey> key = call.key();
        NumberSequence printing = printing(names);
        return reserved(201, key.map(each -> printing.reserve(ask, each)).orElseGet(() -> printing.reserve(ask)));
    }

    private Reply reservation(Call call, List<String> names) {
        Query.of(call);
        return reserved(200, printing(names).reservation(id(names)));
    }

    private Reply confirm(Call call, List<String> names) {
        requireNothing(call);
        return reserved(200, printing(names).by(call.author(Optional.empty())).confirm(id(names)));
    }

    private Reply cancel(Call call, List<String> names) {
        requireNothing(call);
        return reserved(200, printing(names).by(call.author(Optional.empty())).cancel(id(names)));
    }

    private static void requireNothing(Call call) {
        Query.of(call);
        Fields unused = Fields.ofOptional(call.body()).only(List.of());
    }

    private static String id(List<String> names) {
        return inPath(names.get(1), Problem.notFound("there is no such reservation"));
    }

    private static Reply reserved(int status, ReservedNumber reserved) {
        PrintedNumber number = reserved.number();
        return Reply.json(status, Json.object(out -> {
            out.writeStringProperty("id", reserved.id());
            out.writeNumberProperty("value", number.value());
            out.writeStringProperty("text", number.text());
            period(out, number.period().key());
            out.writeStringProperty("state", reserved.state().text());
            Json.text(out, "expiresAt", reserved.expires().map(Instant::toString));
        }));
    }

    private static void period(JsonGenerator out, String key) {
        Json.text(out, WantedCounter.PERIOD, Optional.of(key).filter(some -> !some.isEmpty()));
    }

    // ---- single numbers

    private Reply number(Call call, List<String> names) {
        Query.of(call);
        NumberSequence printing = printing(names);
        return known(printing, printing.find(text(names)));
    }

    private Reply voidNumber(Call call, List<String> names) {
        Query.of(call);
        Fields fields = Fields.ofOptional(call.body()).only(List.of(REASON));
        NumberSequence printing = printing(names).by(call.author(requiredReason(fields)));
        return known(printing, printing.voidNumber(text(names)));
    }

    private static Optional<String> requiredReason(Fields fields) {
        Optional<String> reason = fields.text(REASON).filter(text -> !text.isBlank());
        if (reason.isEmpty()) {
            throw new Refusal(Problem.reasonRequired());
        }
        return reason;
    }

    private static String text(List<String> names) {
        return inPath(names.get(1), Problem.numberUnknown());
    }

    private static Reply known(NumberSequence printing, KnownNumber number) {
        NumberCounter counter = printing.counterOf(number);
        List<LedgerEntry> entries = number.entries();
        LedgerEntry latest = entries.get(entries.size() - 1);
        Optional<LedgerEntry> taken = taken(entries);
        return Reply.json(200, Json.object(out -> {
            out.writeNumberProperty("value", number.value());
            out.writeStringProperty("text", number.text());
            period(out, number.period());
            scope(out, number.scope());
            out.writeStringProperty("state", number.state().text());
            out.writeStringProperty("at", latest.at().toString());
            Json.text(out, "who", LedgerJson.who(latest));
            Json.text(out, "why", latest.facts().why());
            Json.text(out, "caller", taken.flatMap(LedgerJson::caller));
            Json.text(out, "key", taken.flatMap(LedgerJson::key));
            out.writeObjectPropertyStart("neighbours");
            neighbour(out, "before", number.before(), counter);
            neighbour(out, "behind", number.behind(), counter);
            out.writeEndObject();
            out.writeArrayPropertyStart("entries");
            entries.forEach(entry -> LedgerJson.write(out, entry, counter));
            out.writeEndArray();
        }));
    }

    /** The entry of the call that took the number last; it may have come back and been taken again. */
    private static Optional<LedgerEntry> taken(List<LedgerEntry> entries) {
        Set<LedgerEntry.State> taking = EnumSet.of(LedgerEntry.State.ISSUED, LedgerEntry.State.RESERVED);
        return entries.stream()
                .filter(entry -> taking.contains(entry.state())
                        || entry.state() == LedgerEntry.State.CONFIRMED
                                && entry.facts().reservation().isEmpty())
                .reduce((first, second) -> second);
    }

    private static void scope(JsonGenerator out, Map<String, String> scope) {
        out.writeObjectPropertyStart(AskJson.SCOPE);
        new TreeMap<>(scope).forEach(out::writeStringProperty);
        out.writeEndObject();
    }

    private static void neighbour(JsonGenerator out, String name, OptionalLong value, NumberCounter counter) {
        if (value.isEmpty()) {
            out.writeNullProperty(name);
            return;
        }
        out.writeObjectPropertyStart(name);
        out.writeNumberProperty("value", value.getAsLong());
        Json.text(out, "text", counter.text(value.getAsLong()));
        out.writeEndObject();
    }

    // ---- the ledger

    private Reply gaps(Call call, List<String> names) {
        Query query = WantedCounter.query(call, ALL);
        boolean all = query.flag(ALL);
        NumberCounter counter = WantedCounter.in(query).of(printing(names));
        GapReport report = counter.values().gaps(all);
        return Reply.json(200, Json.object(out -> {
            out.writeArrayPropertyStart("gaps");
            report.gaps().forEach(gap -> gap(out, gap, counter));
            out.writeEndArray();
            out.writeBooleanProperty("more", report.more());
            head(out, report.head(), report.entries());
        }));
    }

    private static void gap(JsonGenerator out, GapReport.Gap gap, NumberCounter counter) {
        out.writeStartObject();
        out.writeNumberProperty("first", gap.first());
        out.writeNumberProperty("last", gap.last());
        Json.text(out, "firstText", counter.text(gap.first()));
        Json.text(out, "lastText", counter.text(gap.last()));
        Json.text(out, "state", gap.state().map(LedgerEntry.State::text));
        Json.text(out, REASON, gap.why());
        out.writeEndObject();
    }

    private static void head(JsonGenerator out, String head, long entries) {
        Json.text(out, HEAD, Optional.of(head).filter(some -> !some.isEmpty()));
        out.writeNumberProperty("count", entries);
    }

    private Reply ledger(Call call, List<String> names) {
        Query query = WantedCounter.query(call, AFTER, LIMIT);
        int limit = limit(query);
        long after = query.integer(AFTER, 0, 0, Long.MAX_VALUE);
        NumberCounter counter = WantedCounter.in(query).of(printing(names));
        List<LedgerEntry> entries = counter.values().ledger(after, limit + 1);
        List<LedgerEntry> page = entries.subList(0, Math.min(limit, entries.size()));
        return switch (Accept.preferred(call, List.of("application/json", "text/plain", "text/csv"))) {
            case "text/plain" -> Reply.text(LedgerJson.text(page, counter));
            case "text/csv" -> Reply.success(200, Reply.CSV, Map.of(), LedgerJson.csv(page, counter));
            default ->
                Reply.json(200, Json.object(out -> {
                    out.writeArrayPropertyStart("items");
                    page.forEach(entry -> LedgerJson.write(out, entry, counter));
                    out.writeEndArray();
                    if (entries.size() > limit) {
                        out.writeNumberProperty("next", page.get(limit - 1).index());
                    } else {
                        out.writeNullProperty("next");
                    }
                }));
        };
    }

    private static int limit(Query query) {
        return Math.toIntExact(query.integer(LIMIT, LIST, 1, MAX_LIST));
    }

    private Reply verify(Call call, List<String> names) {
        Query query = WantedCounter.query(call, HEAD);
        Optional<String> keptHead = query.text(HEAD);
        if (keptHead.isPresent() && !HASH.matcher(keptHead.get()).matches()) {
            throw new Refusal(Problem.badOption(
                    ErrorCode.BAD_REQUEST, HEAD, "head must be 64 hexadecimal digits, as gaps shows it"));
        }
        LedgerReport report =
                WantedCounter.in(query).of(printing(names)).values().verify(keptHead);
        return Reply.json(200, Json.object(out -> {
            out.writeBooleanProperty("sound", report.isSound());
            if (report.broken().isPresent()) {
                out.writeNumberProperty("broken", report.broken().getAsLong());
            } else {
                out.writeNullProperty("broken");
            }
            if (report.hasKeptHead().isPresent()) {
                out.writeBooleanProperty("hasKeptHead", report.hasKeptHead().get());
            } else {
                out.writeNullProperty("hasKeptHead");
            }
            head(out, report.head(), report.entries());
        }));
    }

    // ---- periods

    private Reply periods(Call call, List<String> names) {
        Query query = Query.of(call, AFTER, LIMIT);
        int limit = limit(query);
        Optional<CounterState> after = query.text(AFTER).map(NumberCalls::after);
        NumberSequence printing = printing(names);
        List<CounterState> found = printing.sequence().counters(after, limit + 2).stream()
                .filter(NumberCalls::isInUse)
                .toList();
        List<CounterState> page = found.subList(0, Math.min(limit, found.size()));
        return Reply.json(200, Json.object(out -> {
            out.writeArrayPropertyStart("items");
            page.forEach(state -> {
                out.writeStartObject();
                counter(out, state, printing);
                out.writeEndObject();
            });
            out.writeEndArray();
            Json.text(out, "next", found.size() > limit ? Optional.of(nameOf(page.get(limit - 1))) : Optional.empty());
        }));
    }

    /** Not the row that each sequence has from its beginning, of no period and scope, before a number is of it. */
    private static boolean isInUse(CounterState state) {
        boolean ofPeriodOrScope = !state.period().isEmpty() || !state.scope().isEmpty();
        return ofPeriodOrScope || state.entries() > 0 || state.closed();
    }

    private static String nameOf(CounterState state) {
        return state.period() + SEPARATOR + state.scope();
    }

    private static CounterState after(String name) {
        int separator = name.indexOf(SEPARATOR);
        if (separator < 0) {
            throw new Refusal(
                    Problem.badOption(ErrorCode.BAD_REQUEST, AFTER, "after must be the next of an earlier page"));
        }
        return new CounterState(
                name.substring(separator + 1),
                name.substring(0, separator),
                OptionalLong.empty(),
                BigInteger.ZERO,
                0,
                0,
                false,
                0);
    }

    private static void counter(JsonGenerator out, CounterState state, NumberSequence printing) {
        NumberCounter counter = printing.counterOf(state);
        period(out, state.period());
        scope(out, counter.scope());
        OptionalLong mark = state.highWaterMark();
        if (mark.isPresent()) {
            out.writeNumberProperty("highWaterMark", mark.getAsLong());
            Json.text(out, "highWaterText", counter.text(mark.getAsLong()));
        } else {
            out.writeNullProperty("highWaterMark");
            out.writeNullProperty("highWaterText");
        }
        out.writeStringProperty("remaining", state.remaining().toString());
        out.writeNumberProperty("open", state.open());
        out.writeNumberProperty("released", state.released());
        out.writeBooleanProperty("closed", state.closed());
        out.writeNumberProperty("entries", state.entries());
    }

    private Reply close(Call call, List<String> names) {
        Query.of(call);
        Fields fields = Fields.ofOptional(call.body()).only(List.of(REASON, AskJson.SCOPE));
        Optional<Map<String, String>> scope = fields.object(AskJson.SCOPE).map(Fields::anyTexts);
        NumberSequence printing = printing(names).by(call.author(requiredReason(fields)));
        NumberCounter counter = new WantedCounter(Optional.of(names.get(1)), scope).of(printing);
        counter.values().closePeriod();
        CounterState state = counter.values().counterState();
        return Reply.json(200, Json.object(out -> counter(out, state, printing)));
    }
}
