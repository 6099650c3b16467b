package io.seriatim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.seriatim.AuditEntry.Action;
import io.seriatim.ScriptedStore.Fate;
import io.seriatim.memory.MemoryCounterStore;
import io.seriatim.store.Change;
import io.seriatim.store.CounterKey;
import io.seriatim.store.CounterRow;
import io.seriatim.store.DefinitionRow;
import io.seriatim.store.LedgerRow;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Every change of a definition has its entry, and every entry its change. */
final class AuditTrailTest {

    private static final Author ANN = Author.of("ann");

    private final TestEnvironment environment = new TestEnvironment();
    private final MemoryCounterStore memory = new MemoryCounterStore();
    private final ScriptedStore store = new ScriptedStore(memory);
    private final Sequences sequences = open();

    private Sequences open() {
        return Sequences.on(new KeptOpen(store), environment, Duration.ofMillis(300));
    }

    @AfterEach
    void close() {
        sequences.close();
    }

    private List<AuditEntry> trail() {
        return sequences.audit("s", 0, 1_000);
    }

    private AuditEntry last() {
        List<AuditEntry> trail = trail();
        return trail.get(trail.size() - 1);
    }

    private DefinitionRow row() {
        return memory.findDefinition("s").orElseThrow();
    }

    private static ErrorCode codeOf(Runnable call) {
        try {
            call.run();
        } catch (SequenceException e) {
            return e.code();
        }
        throw new AssertionError("no error");
    }

    // ---- what an entry says

    @Test
    void changes_ofEveryKind_sayWhoWhenWhyAndWhat() {
        Sequence s = sequences.create("s", SequenceDefinition.ascending().max(500), ANN.because("orders begin"));
        assertThat(last())
                .isEqualTo(new AuditEntry(
                        1,
                        Instant.EPOCH,
                        "ann",
                        Action.DEFINE,
                        Optional.of("orders begin"),
                        1,
                        Map.of(),
                        Map.of(
                                "name",
                                "s",
                                "contract",
                                "fast",
                                "type",
                                "bigint",
                                "start",
                                "1",
                                "min",
                                "1",
                                "max",
                                "500",
                                "increment",
                                "1",
                                "cycle",
                                "false",
                                "cache",
                                "auto")));

        environment.pass(Duration.ofSeconds(7));
        s.next();
        s.by(Author.of("bob").because("more room"))
                .alter(SequenceDefinition.changes().max(5_000));
        assertThat(last())
                .isEqualTo(new AuditEntry(
                        2,
                        Instant.EPOCH.plusSeconds(7),
                        "bob",
                        Action.ALTER,
                        Optional.of("more room"),
                        2,
                        Map.of("max", "500"),
                        Map.of("max", "5000")));

        s.restart(Restart.at(1).allowingReuse("nothing was printed"));
        assertThat(last())
                .isEqualTo(new AuditEntry(
                        3,
                        Instant.EPOCH.plusSeconds(7),
                        "",
                        Action.RESTART,
                        Optional.of("nothing was printed"),
                        3,
                        Map.of("lastValue", "1"),
                        Map.of("next", "1")));

        s.by(ANN).alter(SequenceDefinition.changes().contract(Contract.ORDERED), Restart.after(40));
        assertThat(last().was())
                .containsOnly(Map.entry("contract", "fast"), Map.entry("cache", "auto"), entry("next", 1));
        assertThat(last().now()).containsOnly(Map.entry("contract", "ordered"), entry("lastValue", 40));

        sequences.get("s").by(ANN.because("moved to the shop")).drop();
        assertThat(last().action()).isEqualTo(Action.DROP);
        assertThat(last().why()).contains("moved to the shop");
        assertThat(last().was()).contains(entry("lastValue", 40), entry("max", 5_000));
        assertThat(last().now()).isEmpty();
        assertThat(last().generation()).isEqualTo(row().generation());
    }

    private static Map.Entry<String, String> entry(String name, long value) {
        return Map.entry(name, Long.toString(value));
    }

    @Test
    void gone_ofAListedNode_hasAnEntryAndHarmsNobodyElse() {
        Sequence s = sequences.define("s", SequenceDefinition.ascending().cache(10));
        s.next();
        Sequences crashed = open();
        crashed.get("s").next();
        Sequences third = open();
        Sequence there = third.get("s");
        there.next();
        long generation = row().generation();
        environment.pass(Duration.ofSeconds(3));

        s.by(ANN.because("its machine burnt down")).declareGone(crashed.node());

        assertThat(last().action()).isEqualTo(Action.GONE);
        assertThat(last().why()).contains("its machine burnt down");
        assertThat(last().was().get("holder")).startsWith(crashed.node() + " 11");
        assertThat(last().index()).isEqualTo(row().revision()).isEqualTo(2);
        assertThat(row().generation()).isEqualTo(generation);
        assertThat(s.state().modified()).isEqualTo(last().at()).isEqualTo(Instant.EPOCH.plusSeconds(3));
        // who knew the definition row before it goes on, and can change it
        Set<Long> values = new HashSet<>();
        for (int i = 0; i < 40; i++) {
            assertThat(values.add(there.next())).isTrue();
            assertThat(values.add(s.next())).isTrue();
        }
        there.alter(SequenceDefinition.changes().max(1_000));
        s.alter(SequenceDefinition.changes().max(2_000));
        assertThat(trail()).extracting(AuditEntry::index).containsExactly(1L, 2L, 3L, 4L);
        third.close();
    }

    @Test
    void gone_ofANodeThatIsNotListed_changesNothingAndHasNoEntry() {
        sequences.define("s", SequenceDefinition.ascending()).by(ANN).declareGone("4fd1a20c99b1e7d3");
        assertThat(trail()).hasSize(1);
    }

    /** It took itself off the list and went on handing out its block: a restart backwards would not have waited. */
    @Test
    void gone_ofTheNodeItself_isRefused() {
        Sequence s = sequences.define("s", SequenceDefinition.ascending().cache(10));
        s.next();
        assertThatThrownBy(() -> s.declareGone(sequences.node()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("node=" + sequences.node());
        assertThat(trail()).hasSize(1);
        assertThat(store.findCounter(CounterKey.of(row().sequenceId()))
                        .orElseThrow()
                        .openBlocks())
                .startsWith(sequences.node() + " ");
    }

    @Test
    void changes_thatAreRefused_haveNoEntry() {
        Sequence s = sequences.define("s", SequenceDefinition.ascending().max(10));
        s.next(5);
        sequences.define("s", SequenceDefinition.ascending().max(10), ANN);
        assertThat(codeOf(() -> sequences.create("s", SequenceDefinition.ascending(), ANN)))
                .isEqualTo(ErrorCode.ALREADY_EXISTS);
        assertThat(codeOf(() -> s.alter(SequenceDefinition.changes().max(3)))).isEqualTo(ErrorCode.BAD_OPTION);
        assertThat(codeOf(() -> s.restart(Restart.at(1)))).isEqualTo(ErrorCode.BEHIND);
        store.nextWrites(Fate.UNAVAILABLE);
        assertThat(codeOf(() -> s.alter(SequenceDefinition.changes().max(20)))).isEqualTo(ErrorCode.STORE_UNAVAILABLE);
        assertThat(trail()).hasSize(1);
    }

    // ---- the trail of a name

    @Test
    void trail_goesOnOverDropAndCreatingAnew() {
        sequences.create("s", SequenceDefinition.ascending()).drop();
        assertThat(sequences.find("s")).isEmpty();
        assertThat(trail()).extracting(AuditEntry::action).containsExactly(Action.DEFINE, Action.DROP);

        sequences.create("S", SequenceDefinition.descending(), ANN).drop();
        sequences.create("s", SequenceDefinition.ascending());

        assertThat(trail()).extracting(AuditEntry::index).containsExactly(1L, 2L, 3L, 4L, 5L);
        assertThat(trail()).extracting(AuditEntry::generation).containsExactly(1L, 2L, 3L, 4L, 5L);
        assertThat(trail().get(2).now()).contains(Map.entry("name", "S"), entry("increment", -1));
    }

    @Test
    void audit_pageByPage_givesEachOnce() {
        Sequence s = sequences.create("s", SequenceDefinition.ascending());
        for (int i = 0; i < 6; i++) {
            s.alter(SequenceDefinition.changes().cache(10 + i));
        }
        assertThat(sequences.audit("s", 0, 3)).extracting(AuditEntry::index).containsExactly(1L, 2L, 3L);
        assertThat(sequences.audit("s", 3, 3)).extracting(AuditEntry::index).containsExactly(4L, 5L, 6L);
        assertThat(sequences.audit("s", 6, 3)).extracting(AuditEntry::index).containsExactly(7L);
        assertThat(sequences.audit("s", 7, 3)).isEmpty();
        assertThat(sequences.audit("s", Long.MAX_VALUE, 3)).isEmpty();
        assertThatThrownBy(() -> sequences.audit("s", -1, 3)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> sequences.audit("s", 0, 0)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void audit_ofANameThatNeverWas_isNotFound() {
        sequences.create("sequence", SequenceDefinition.ascending());
        assertThat(codeOf(this::trail)).isEqualTo(ErrorCode.NOT_FOUND);
        assertThat(codeOf(() -> sequences.audit("no/name", 0, 1))).isEqualTo(ErrorCode.BAD_NAME);
    }

    // ---- whatever becomes of the write

    private void change(Action action) {
        switch (action) {
            case DEFINE -> sequences.create("s", SequenceDefinition.ascending(), ANN);
            case ALTER ->
                sequences.get("s").by(ANN).alter(SequenceDefinition.changes().max(9));
            case RESTART -> sequences.get("s").by(ANN).restart(Restart.at(5));
            case DROP -> sequences.get("s").by(ANN).drop();
            case GONE -> sequences.get("s").by(ANN).declareGone(holder);
            case VOID -> sequences.get("s").by(ANN.because("test")).voidValue(1);
            case CLOSE -> sequences.get("s").by(ANN.because("test")).closePeriod();
            case IMPORT -> sequences.get("s").by(ANN).importValues(List.of(new Block(7, 1, 3)));
            case RESTORE -> sequences.get("s").by(ANN).restore(UsedSince.atMost(3));
        }
    }

    /** A node that may have values in memory. */
    private String holder = "";

    /** Leads up to a change; returns how many entries there are before it. */
    private int prepare(Action action) {
        if (action == Action.DEFINE) {
            return 0;
        }
        if (action == Action.VOID || action == Action.CLOSE || action == Action.IMPORT) {
            sequences
                    .create("s", SequenceDefinition.ascending().with("format.template", "{seq}"))
                    .next();
            return 1;
        }
        sequences.create("s", SequenceDefinition.ascending());
        if (action == Action.GONE) {
            Sequences crashed = open();
            crashed.get("s").next();
            holder = crashed.node();
        }
        return 1;
    }

    @ParameterizedTest
    @EnumSource(Action.class)
    void change_appliedButItsAnswerLost_hasOneEntry(Action action) {
        int before = prepare(action);
        store.nextWrites(Fate.UNKNOWN_APPLIED);
        change(action);
        assertThat(trail()).hasSize(before + 1);
        assertThat(last().action()).isEqualTo(action);
        assertThat(last().index()).isEqualTo(row().revision());
    }

    @ParameterizedTest
    @EnumSource(Action.class)
    void change_lostWithItsAnswer_hasNoEntryAndNoEffect(Action action) {
        int before = prepare(action);
        Optional<DefinitionRow> row = memory.findDefinition("s");
        store.nextWrites(Fate.UNKNOWN_LOST);
        assertThat(codeOf(() -> change(action))).isEqualTo(ErrorCode.OUTCOME_UNKNOWN);
        assertThat(memory.findDefinition("s")).isEqualTo(row);
        assertThat(memory.listLedger(AuditTrail.key("s"), 1, 10)).hasSize(before);
        change(action);
        assertThat(trail()).hasSize(before + 1);
    }

    /** The process learns nothing, as if it had crashed: what the next one finds is the change with its entry. */
    @ParameterizedTest
    @EnumSource(Action.class)
    void change_appliedAndTheStoreNotReachedAfterIt_isFoundWithItsEntry(Action action) {
        int before = prepare(action);
        store.nextWrites(Fate.UNKNOWN_APPLIED);
        store.beforeNextWrite(() -> store.readsFail(true));

        assertThat(codeOf(() -> change(action))).isEqualTo(ErrorCode.OUTCOME_UNKNOWN);

        store.readsFail(false);
        try (Sequences next = open()) {
            List<AuditEntry> trail = next.audit("s", 0, 10);
            assertThat(trail).hasSize(before + 1);
            assertThat(trail.get(before).action()).isEqualTo(action);
            assertThat(row().revision()).isEqualTo(before + 1);
        }
    }

    @Test
    void alter_byTwoEnginesAtOnce_leavesEntriesWithoutHoleOrDouble() throws Exception {
        int turns = 60;
        MemoryCounterStore shared = new MemoryCounterStore();
        ExecutorService threads = Executors.newFixedThreadPool(2);
        try (Sequences one = Sequences.on(new KeptOpen(shared));
                Sequences two = Sequences.on(new KeptOpen(shared))) {
            one.create("s", SequenceDefinition.ascending().contract(Contract.ORDERED));
            List<Future<List<Long>>> altering = new ArrayList<>();
            for (Sequences engine : List.of(one, two)) {
                Sequence s = engine.get("s").by(Author.of(engine.node()));
                Callable<List<Long>> work = () -> {
                    List<Long> generations = new ArrayList<>();
                    for (int i = 0; i < turns; i++) {
                        generations.add(s.alter(SequenceDefinition.changes().max(1_000 + i))
                                .generation());
                    }
                    return generations;
                };
                altering.add(threads.submit(work));
            }
            List<List<Long>> generations =
                    List.of(altering.get(0).get(), altering.get(1).get());

            List<AuditEntry> trail = one.audit("s", 0, 1_000);
            assertThat(trail)
                    .extracting(AuditEntry::index)
                    .containsExactlyElementsOf(
                            LongStream.rangeClosed(1, 1 + 2 * turns).boxed().toList());
            List<String> nodes = List.of(one.node(), two.node());
            for (int i = 0; i < 2; i++) {
                String node = nodes.get(i);
                assertThat(trail.stream()
                                .filter(entry -> entry.who().equals(node))
                                .map(AuditEntry::generation))
                        .as("what " + node + " was told")
                        .containsExactlyElementsOf(generations.get(i));
            }
        } finally {
            threads.shutdown();
        }
    }

    // ---- texts and damage

    @Test
    void author_withATextThatCannotBeKept_isRefused() {
        assertThat(Author.of("ä".repeat(200)).because("€".repeat(1_000)).why()).isPresent();
        assertThat(Author.of("").because("\ud83d\ude00".repeat(1_000)).who()).isEmpty();
        for (String who : List.of("x".repeat(201), "a\nb", "a\u0000", "a\u0085", "\ud83d", "\ude00\ud83d")) {
            assertThatThrownBy(() -> Author.of(who)).isInstanceOf(IllegalArgumentException.class);
        }
        for (String why : List.of("", " ", "x".repeat(1_001), "a\nb", "\t", "\ud83d")) {
            assertThatThrownBy(() -> ANN.because(why)).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> Restart.at(1).allowingReuse(why)).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void entry_isKeptAsTheseLines() {
        sequences
                .create("s", SequenceDefinition.ascending(), ANN)
                .by(Author.of("a=b").because("x; now.max=1"))
                .alter(SequenceDefinition.changes().max(7).cycle(true));
        LedgerRow kept = memory.listLedger(new CounterKey(0, "s", ""), 2, 10).get(0);
        assertThat(kept.entry()).isEqualTo("""
                format=1
                at=1970-01-01T00:00:00Z
                who=a=b
                action=alter
                why=x; now.max=1
                generation=2
                was.cycle=false
                was.max=9223372036854775807
                now.cycle=true
                now.max=7""");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "format=1",
                "format=2\nat=1970-01-01T00:00:00Z\nwho=\naction=drop\ngeneration=2",
                "format=1\nat=yesterday\nwho=\naction=drop\ngeneration=2",
                "format=1\nat=1970-01-01T00:00:00.0Z\nwho=\naction=drop\ngeneration=2",
                "format=1\nat=1970-01-01T00:00:00Z\nwho=\naction=rename\ngeneration=2",
                "format=1\nat=1970-01-01T00:00:00Z\nwho=\naction=drop\ngeneration=0",
                "format=1\nat=1970-01-01T00:00:00Z\nwho=\naction=drop\ngeneration=02",
                "format=1\nat=1970-01-01T00:00:00Z\nwho=\naction=drop",
                "format=1\nat=1970-01-01T00:00:00Z\nwho=\naction=drop\ngeneration=2\n",
                "format=1\nat=1970-01-01T00:00:00Z\nwho=\naction=drop\ngeneration=2\ngeneration=2",
                "format=1\nat=1970-01-01T00:00:00Z\nwho=\naction=drop\ngeneration=2\nby=x",
                "format=1\nat=1970-01-01T00:00:00Z\nwho=\naction=drop\ngeneration=2\nwas.=x",
                "format=1\nat=1970-01-01T00:00:00Z\naction=drop\nwho=\ngeneration=2",
                "format=1\nat=1970-01-01T00:00:00Z\nwho=\naction=drop\nwhy= \ngeneration=2",
                "format=1\nat=1970-01-01T00:00:00Z\nwho=\naction=drop\ngeneration=2\nno fact",
            })
    void audit_entryThatIsDamaged_isCorruptAndNamed(String text) {
        sequences.create("s", SequenceDefinition.ascending());
        DefinitionRow row = row();
        memory.apply(change(row, text));

        assertThatThrownBy(this::trail)
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessage("audit entry 2 of sequence s is not understood")
                .extracting("code")
                .isEqualTo(ErrorCode.STORE_CORRUPT);
    }

    /** The next revision of a definition, with a text as its entry. */
    private static Change change(DefinitionRow row, String text) {
        DefinitionRow next = new DefinitionRow(
                row.name(),
                row.sequenceId(),
                row.generation(),
                row.revision() + 1,
                row.options(),
                row.dropped(),
                row.created(),
                row.modified(),
                row.mark());
        return Change.of(new CounterRow(CounterKey.of(-1), 1, 0, 1, true, 1, row.mark()))
                .with(next)
                .with(new LedgerRow(AuditTrail.key(row.name()), next.revision(), text));
    }

    /** Such a change would be refused for ever, and was tried again for ever. */
    @Test
    void change_whoseEntryIsThereAlready_isCorrupt() {
        Sequence s = sequences.create("s", SequenceDefinition.ascending());
        for (String name : List.of("s", "t")) {
            LedgerRow stray = new LedgerRow(AuditTrail.key(name), name.equals("s") ? 2 : 1, "x");
            memory.apply(new Change(Optional.empty(), Optional.empty(), List.of(stray), Optional.empty()));
        }
        assertThat(codeOf(() -> s.alter(SequenceDefinition.changes().max(9)))).isEqualTo(ErrorCode.STORE_CORRUPT);
        assertThat(codeOf(s::drop)).isEqualTo(ErrorCode.STORE_CORRUPT);
        assertThat(codeOf(() -> sequences.define("t", SequenceDefinition.ascending())))
                .isEqualTo(ErrorCode.STORE_CORRUPT);
        assertThat(s.next()).isEqualTo(1);
    }

    /** Chance may draw it, though it has not been seen. */
    @Test
    void create_chanceDrawsZero_givesAnotherId() {
        Environment zeros = new ZeroRandom(environment);
        try (Sequences drawing = Sequences.on(new KeptOpen(store), zeros, Duration.ofSeconds(1))) {
            drawing.create("s", SequenceDefinition.ascending());
        }
        assertThat(row().sequenceId()).isNotZero();
    }
}
