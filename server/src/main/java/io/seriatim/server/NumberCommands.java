package io.seriatim.server;

import io.seriatim.server.Terminal.Form;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The commands on what becomes of numbers. Each is one call of {@link NumberCalls}. */
final class NumberCommands {

    private NumberCommands() {}

    static List<Object> all(Main main) {
        return List.of(
                new Reserve(main),
                new Confirm(main),
                new Cancel(main),
                new VoidNumber(main),
                new ShowNumber(main),
                new Gaps(main),
                new Ledger(main),
                new Periods(main),
                new Close(main),
                new Verify(main));
    }

    /** A command on one sequence. */
    private abstract static class OnSequence implements Callable<Integer> {

        final Main main;

        @Parameters(paramLabel = "NAME", index = "0")
        @SuppressWarnings("NullAway.Init") // picocli sets what is required before a command runs
        private String name;

        OnSequence(Main main) {
            this.main = main;
        }

        final String path(String... parts) {
            StringBuilder path = new StringBuilder(Main.sequence(name));
            for (String part : parts) {
                path.append('/').append(Utf8.percentEncode(part));
            }
            return path.toString();
        }

        final Integer get(String path, StringBuilder query, Form form) {
            return main.send("GET", path, query.toString(), "", Map.of(), form);
        }

        final Integer post(String path, Body body, Form form) {
            return main.send("POST", path, "", body.textOrNothing(), Map.of(), form);
        }

        final StringBuilder query(CounterOptions counter) {
            StringBuilder query = new StringBuilder();
            Main.parameter(query, "period", counter.period);
            main.scopeValues(counter.scope).forEach((scope, value) -> Main.parameter(query, "scope." + scope, value));
            return query;
        }
    }

    @Command(
            name = "reserve",
            description = "Hold the next number until it is confirmed, cancelled or expires.",
            mixinStandardHelpOptions = true)
    private static final class Reserve extends OnSequence {

        @Option(
                names = "--key",
                paramLabel = "KEY",
                description = "A repetition with the same key gets the same reservation, for 24 hours.")
        private @Nullable String key;

        @Mixin
        private AskOptions ask = new AskOptions();

        Reserve(Main main) {
            super(main);
        }

        @Override
        public Integer call() {
            Body body = new Body().put("at", ask.at).put("date", ask.date);
            body.put("scope", main.scope(ask.scope));
            return main.send("POST", path("reservations"), "", body.textOrNothing(), Main.keyed(key), Form.FIELDS);
        }
    }

    /** A step of a reservation. */
    private abstract static class OnReservation extends OnSequence {

        @Parameters(paramLabel = "ID", index = "1", description = "As reserve has shown it.")
        @SuppressWarnings("NullAway.Init")
        private String id;

        OnReservation(Main main) {
            super(main);
        }

        final Integer step(String step) {
            return post(path("reservations", id, step), new Body(), Form.FIELDS);
        }
    }

    @Command(
            name = "confirm",
            description = "Confirm a reservation: its number may be used.",
            mixinStandardHelpOptions = true)
    private static final class Confirm extends OnReservation {

        Confirm(Main main) {
            super(main);
        }

        @Override
        public Integer call() {
            return step("confirm");
        }
    }

    @Command(name = "cancel", description = "Give a reserved number back.", mixinStandardHelpOptions = true)
    private static final class Cancel extends OnReservation {

        Cancel(Main main) {
            super(main);
        }

        @Override
        public Integer call() {
            return step("cancel");
        }
    }

    /** A command on one number. */
    private abstract static class OnNumber extends OnSequence {

        @Parameters(paramLabel = "NUMBER", index = "1", description = "As it was printed.")
        @SuppressWarnings("NullAway.Init")
        String number;

        OnNumber(Main main) {
            super(main);
        }
    }

    @Command(
            name = "void",
            description = "Say that a number is valid no longer; it never comes again.",
            mixinStandardHelpOptions = true)
    private static final class VoidNumber extends OnNumber {

        @Option(names = "--reason", required = true, description = "Why; ledger and audit trail keep it.")
        @SuppressWarnings("NullAway.Init")
        private String reason;

        VoidNumber(Main main) {
            super(main);
        }

        @Override
        public Integer call() {
            return post(path("numbers", number, "void"), new Body().put("reason", reason), Form.NUMBER);
        }
    }

    @Command(name = "number", description = "Show what became of a number.", mixinStandardHelpOptions = true)
    private static final class ShowNumber extends OnNumber {

        ShowNumber(Main main) {
            super(main);
        }

        @Override
        public Integer call() {
            return get(path("numbers", number), new StringBuilder(), Form.NUMBER);
        }
    }

    @Command(
            name = "gaps",
            description = "Show the numbers of a counter that nothing explains, and the head of its ledger.",
            mixinStandardHelpOptions = true)
    private static final class Gaps extends OnSequence {

        @Mixin
        private CounterOptions counter = new CounterOptions();

        @Option(names = "--all", description = "Also those that are explained: reserved, released, voided, lost.")
        private boolean all;

        Gaps(Main main) {
            super(main);
        }

        @Override
        public Integer call() {
            StringBuilder query = query(counter);
            Main.parameter(query, "all", all ? "true" : null);
            return get(path("gaps"), query, Form.GAPS);
        }
    }

    @Command(
            name = "ledger",
            description = "Show what became of the numbers of a counter, in order.",
            mixinStandardHelpOptions = true)
    private static final class Ledger extends OnSequence {

        @Mixin
        private CounterOptions counter = new CounterOptions();

        @Option(names = "--after", description = "Only entries behind this index.")
        private @Nullable String after;

        @Option(names = "--limit", description = "At most so many, up to 1000; default 100.")
        private @Nullable String limit;

        @Option(names = "--csv", description = "As CSV, with every column.")
        private boolean csv;

        Ledger(Main main) {
            super(main);
        }

        @Override
        public Integer call() {
            StringBuilder query = query(counter);
            Main.parameter(query, "after", after);
            Main.parameter(query, "limit", limit);
            return get(path("ledger"), query, csv ? Form.CSV : Form.LEDGER);
        }
    }

    @Command(
            name = "periods",
            description = "List the counters of a sequence by period and scope.",
            mixinStandardHelpOptions = true)
    private static final class Periods extends OnSequence {

        @Option(names = "--after", description = "Only counters behind this one, as the page before has named it.")
        private @Nullable String after;

        @Option(names = "--limit", description = "At most so many, up to 1000; default 100.")
        private @Nullable String limit;

        Periods(Main main) {
            super(main);
        }

        @Override
        public Integer call() {
            StringBuilder query = new StringBuilder();
            Main.parameter(query, "after", after);
            Main.parameter(query, "limit", limit);
            return get(path("periods"), query, Form.PERIODS);
        }
    }

    @Command(
            name = "close",
            description = "Close a period for good: it gives no number any more.",
            mixinStandardHelpOptions = true)
    private static final class Close extends OnSequence {

        @Parameters(
                paramLabel = "PERIOD",
                index = "1",
                arity = "0..1",
                description = "Its key, such as 2026-07; left out, or -, for a counter that never starts again.")
        private String period = WantedCounter.NO_PERIOD;

        @Mixin
        private ScopeOption scope = new ScopeOption();

        @Option(names = "--reason", required = true, description = "Why; ledger and audit trail keep it.")
        @SuppressWarnings("NullAway.Init")
        private String reason;

        Close(Main main) {
            super(main);
        }

        @Override
        public Integer call() {
            Body body = new Body().put("reason", reason).put("scope", main.scope(scope));
            return post(path("periods", period, "close"), body, Form.FIELDS);
        }
    }

    @Command(
            name = "verify",
            description = "Check that the ledger of a counter is whole, and the one of which a head was kept.",
            mixinStandardHelpOptions = true)
    private static final class Verify extends OnSequence {

        @Mixin
        private CounterOptions counter = new CounterOptions();

        @Option(names = "--head", paramLabel = "HASH", description = "As gaps has shown it earlier.")
        private @Nullable String head;

        Verify(Main main) {
            super(main);
        }

        @Override
        public Integer call() {
            StringBuilder query = query(counter);
            Main.parameter(query, "head", head);
            return get(path("verify"), query, Form.VERDICT);
        }
    }
}
