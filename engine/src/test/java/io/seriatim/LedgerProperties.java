package io.seriatim;

import static org.assertj.core.api.Assertions.assertThat;

import io.seriatim.LedgerEntry.State;
import io.seriatim.memory.MemoryCounterStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;

/** Random lives of a counter, on two engines of one store, against a plain map. */
final class LedgerProperties {

    private static final Author AUDITOR = Author.of("ann").because("test");
    private static final int SECONDS = 60;

    private enum What {
        RESERVE,
        CONFIRM,
        CANCEL,
        NEXT,
        DRAW,
        VOID,
        TIME,
        RESTART,
        ALTER,
        REOPEN,
        KILL,
        LOSE_ANSWER,
        LOSE_WRITE
    }

    /**
     * One step.
     *
     * @param engine which of the two
     * @param pick what of many
     */
    private record Step(What what, int engine, int pick) {}

    private record Policy(String name, long increment) {}

    @Provide
    Arbitrary<List<Step>> steps() {
        Arbitrary<What> what = Arbitraries.frequency(
                Tuple.of(6, What.RESERVE),
                Tuple.of(3, What.CONFIRM),
                Tuple.of(4, What.CANCEL),
                Tuple.of(4, What.NEXT),
                Tuple.of(2, What.DRAW),
                Tuple.of(2, What.VOID),
                Tuple.of(3, What.TIME),
                Tuple.of(1, What.RESTART),
                Tuple.of(1, What.ALTER),
                Tuple.of(1, What.REOPEN),
                Tuple.of(1, What.KILL),
                Tuple.of(2, What.LOSE_ANSWER),
                Tuple.of(2, What.LOSE_WRITE));
        return Combinators.combine(
                        what,
                        Arbitraries.integers().between(0, 1),
                        Arbitraries.integers().between(0, 99))
                .as(Step::new)
                .list()
                .ofMinSize(1)
                .ofMaxSize(60);
    }

    @Provide
    Arbitrary<Policy> policies() {
        return Combinators.combine(Arbitraries.of("relaxed", "strict", "void"), Arbitraries.of(1L, -1L, 3L))
                .as(Policy::new);
    }

    // ---- two engines

    /** An engine, its clock, and its way into the store. */
    private static final class Node {
        private final ScriptedStore store;
        private final TestEnvironment time;
        private final Sequences sequences;

        Node(MemoryCounterStore memory, long random) {
            store = new ScriptedStore(new KeptOpen(memory));
            time = new TestEnvironment(random);
            sequences = Sequences.on(store, time, Duration.ofSeconds(5));
        }

        Sequence sequence() {
            return sequences.get("s");
        }
    }

    private static final class Nodes {
        private final MemoryCounterStore memory = new MemoryCounterStore();
        private final Node[] nodes = new Node[2];
        private long randoms;

        Nodes(SequenceDefinition definition) {
            replace(0);
            replace(1);
            nodes[0].sequences.define("s", definition);
        }

        Node node(Step step) {
            return nodes[step.engine()];
        }

        Sequence sequence(Step step) {
            return node(step).sequence();
        }

        private void replace(int engine) {
            randoms += 1_000_000;
            nodes[engine] = new Node(memory, randoms);
        }

        /** What every sequence undergoes; says whether the step was one of these. */
        boolean undergo(Step step) {
            switch (step.what()) {
                case REOPEN -> {
                    node(step).store.forgetFates();
                    node(step).sequences.close();
                    replace(step.engine());
                }
                case KILL -> replace(step.engine());
                case LOSE_ANSWER -> node(step).store.nextWrites(ScriptedStore.Fate.UNKNOWN_APPLIED);
                case LOSE_WRITE -> node(step).store.nextWrites(ScriptedStore.Fate.UNKNOWN_LOST);
                default -> {
                    return false;
                }
            }
            return true;
        }

        void reopenOther(Step step) {
            Node other = nodes[1 - step.engine()];
            other.store.forgetFates();
            other.sequences.close();
            replace(1 - step.engine());
        }

        void pass(Duration time) {
            nodes[0].time.pass(time);
            nodes[1].time.pass(time);
        }
    }

    // ---- gapless, against a map

    /** What a gapless counter is when nobody is in a hurry. */
    private static final class Model {
        private final String policy;
        private final long increment;
        private final Map<Long, State> states = new TreeMap<>();
        private final Map<String, Long> open = new TreeMap<>();
        private final Map<String, Integer> ageSeconds = new TreeMap<>();
        private final NavigableSet<Long> released = new TreeSet<>();
        private long next;

        Model(Policy policy, long first) {
            this.policy = policy.name();
            this.increment = policy.increment();
            this.next = first;
        }

        boolean mustWait() {
            return policy.equals("strict") && !open.isEmpty();
        }

        long peek() {
            return released.isEmpty() ? next : increment > 0 ? released.first() : released.last();
        }

        long take(State state) {
            long value = peek();
            if (!released.remove(value)) {
                next += increment;
            }
            states.put(value, state);
            return value;
        }

        void giveUp(String id) {
            long value = ended(id);
            boolean isVoided = policy.equals("void");
            states.put(value, isVoided ? State.VOIDED : State.RELEASED);
            if (!isVoided) {
                released.add(value);
            }
        }

        void confirm(String id) {
            states.put(ended(id), State.CONFIRMED);
        }

        private long ended(String id) {
            return Objects.requireNonNull(open.remove(id), id);
        }

        void restart(long value) {
            for (; next != value; next += increment) {
                states.put(next, State.VOIDED);
            }
        }
    }

    @Property(tries = 300)
    void gapless_randomLife_isThatOfAMap(@ForAll("steps") List<Step> steps, @ForAll("policies") Policy policy) {
        long first = policy.increment() > 0 ? 1 : 100_000;
        SequenceDefinition definition = (policy.increment() > 0
                        ? SequenceDefinition.ascending()
                        : SequenceDefinition.ascending().max(first).start(first))
                .increment(policy.increment())
                .contract(Contract.GAPLESS)
                .with("format.template", "{seq}")
                .with("format.policy", policy.name())
                .with("format.reservationSeconds", Integer.toString(SECONDS));
        Nodes nodes = new Nodes(definition);
        Model model = new Model(policy, first);
        for (Step step : steps) {
            if (!nodes.undergo(step)) {
                live(step, nodes, model);
            }
        }
        Sequence s = new Node(nodes.memory, 500).sequence();
        assertThat(s.peek()).isEqualTo(model.peek());
        assertThat(model.states.isEmpty() ? Map.of() : Books.ofGapless(s, first, policy.increment()))
                .isEqualTo(model.states);
    }

    private static void live(Step step, Nodes nodes, Model model) {
        Sequence s = nodes.sequence(step);
        switch (step.what()) {
            case RESERVE -> {
                if (!model.mustWait()) {
                    Reservation held = s.reserve("");
                    assertThat(held.value()).isEqualTo(model.take(State.RESERVED));
                    model.open.put(held.id(), held.value());
                    model.ageSeconds.put(held.id(), 0);
                }
            }
            case CONFIRM ->
                picked(step, model.open.keySet()).ifPresent(id -> {
                    assertThat(s.confirm(id).state()).isEqualTo(Reservation.State.CONFIRMED);
                    model.confirm(id);
                });
            case CANCEL ->
                picked(step, model.open.keySet()).ifPresent(id -> {
                    assertThat(s.cancel(id).state()).isEqualTo(Reservation.State.CANCELLED);
                    model.giveUp(id);
                });
            case NEXT -> {
                if (!model.mustWait()) {
                    assertThat(s.next()).isEqualTo(model.take(State.CONFIRMED));
                }
            }
            case DRAW -> {
                if (!model.mustWait()) {
                    draw(s, 1 + step.pick() % 5, model);
                }
            }
            case VOID ->
                picked(step, model.states.keySet()).ifPresent(value -> voidValue(nodes.node(step), value, model));
            case TIME -> pass(1 + step.pick(), nodes, s, model);
            case RESTART -> {
                nodes.node(step).store.forgetFates();
                long value = model.next + step.pick() % 7 * model.increment;
                s.restart(Restart.at(value));
                model.restart(value);
            }
            default -> {
                nodes.node(step).store.forgetFates();
                s.alter(SequenceDefinition.changes().max(1_000_000 + step.pick()));
            }
        }
    }

    private static void draw(Sequence s, int count, Model model) {
        List<Long> values = new ArrayList<>();
        for (Block block : s.draw(count).blocks()) {
            for (long index = 0; index < block.count(); index++) {
                values.add(block.valueAt(index));
            }
        }
        for (long value : values) {
            assertThat(value).isEqualTo(model.take(State.CONFIRMED));
        }
    }

    private static void voidValue(Node node, long value, Model model) {
        node.store.forgetFates();
        State before = model.states.get(value);
        try {
            node.sequence().by(AUDITOR).voidValue(value);
            assertThat(before).isIn(State.CONFIRMED, State.RELEASED);
            model.states.put(value, State.VOIDED);
            model.released.remove(value);
        } catch (SequenceException e) {
            assertThat(before).isIn(State.RESERVED, State.VOIDED);
        }
    }

    /** What is old enough may expire, what is not must not. */
    private static void pass(int seconds, Nodes nodes, Sequence s, Model model) {
        nodes.pass(Duration.ofSeconds(seconds));
        model.ageSeconds.replaceAll((id, age) -> age + seconds);
        for (String id : List.copyOf(model.open.keySet())) {
            if (s.reservation(id).state() == Reservation.State.EXPIRED) {
                assertThat(model.ageSeconds.get(id)).isGreaterThanOrEqualTo(SECONDS);
                model.giveUp(id);
            }
        }
    }

    private static <T> Optional<T> picked(Step step, Set<T> all) {
        return all.stream().skip(all.isEmpty() ? 0 : step.pick() % all.size()).findFirst();
    }

    // ---- every contract: what is found of a value is all that there is

    @Property(tries = 300)
    void ledger_ofAnyContract_findsEveryEntryOfAValue(
            @ForAll("steps") List<Step> steps, @ForAll("policies") Policy policy, @ForAll boolean fast) {
        long first = policy.increment() > 0 ? 1 : 100_000;
        SequenceDefinition values = SequenceDefinition.ascending()
                .max(100_000)
                .start(first)
                .increment(policy.increment())
                .contract(fast ? Contract.FAST : Contract.ORDERED)
                .with("format.template", "{seq}");
        Nodes nodes = new Nodes(fast ? values.cache(4) : values);
        Set<Long> issued = new TreeSet<>();
        for (Step step : steps) {
            boolean keepsBlock = fast && step.what() == What.KILL; // and would be waited for
            if (!keepsBlock && !nodes.undergo(step)) {
                use(step, nodes, issued);
            }
        }
        Map<Long, State> states = Books.ofAny(new Node(nodes.memory, 500).sequence());
        issued.forEach(value -> assertThat(states.get(value)).as("of %s", value).isIn(State.ISSUED, State.VOIDED));
    }

    private static void use(Step step, Nodes nodes, Set<Long> issued) {
        Node node = nodes.node(step);
        Sequence s = node.sequence();
        switch (step.what()) {
            case RESERVE, NEXT, CONFIRM -> issued.add(s.next());
            case DRAW, CANCEL ->
                s.draw(1 + step.pick() % 6).blocks().forEach(block -> {
                    for (long index = 0; index < block.count(); index++) {
                        issued.add(block.valueAt(index));
                    }
                });
            case VOID -> {
                nodes.reopenOther(step); // what it has in memory would have to be waited for
                node.store.forgetFates();
                picked(step, issued).ifPresent(value -> {
                    try {
                        s.by(AUDITOR).voidValue(value);
                    } catch (NumberRefusedException e) {
                        assertThat(e.code()).isEqualTo(ErrorCode.ALREADY_VOID);
                    }
                });
            }
            case TIME -> nodes.pass(Duration.ofSeconds(1));
            case RESTART -> {
                node.store.forgetFates();
                restart(step, s);
            }
            default -> {
                node.store.forgetFates();
                long increment = Long.parseLong(s.definition().options().get("increment"));
                s.alter(SequenceDefinition.changes()
                        .increment(increment > 0 ? 1 + step.pick() % 4 : -1 - step.pick() % 4));
            }
        }
    }

    /** Forwards, from where the store has it. */
    private static void restart(Step step, Sequence s) {
        long increment = Long.parseLong(s.definition().options().get("increment"));
        OptionalLong last = s.counters(Optional.empty(), 1).get(0).highWaterMark();
        if (last.isPresent()) {
            s.restart(Restart.at(last.getAsLong() + increment * (1 + step.pick() % 9)));
        }
    }
}
