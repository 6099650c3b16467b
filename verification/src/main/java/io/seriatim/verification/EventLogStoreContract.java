package io.seriatim.verification;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.seriatim.store.Checkpoint;
import io.seriatim.store.EventHeader;
import io.seriatim.store.EventLogStore;
import io.seriatim.store.LogEvent;
import io.seriatim.store.LogOutcome;
import io.seriatim.store.NumberRows;
import io.seriatim.store.PartitionKey;
import io.seriatim.store.PartitionStore;
import io.seriatim.store.StoreException;
import io.seriatim.store.WriteMode;
import io.seriatim.store.WriterMark;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/**
 * What every {@link EventLogStore} promises, as tests: the specification of the port. A store's test class extends it
 * and says how the store is opened; a store that keeps its rows extends {@link DurableEventLogStoreContract}.
 */
public abstract class EventLogStoreContract extends DerivedRowsContract {

    // ---- partitions

    @Test
    final void partitions_areThoseThatWereTaken_inOrder() {
        assertThat(store().partitions()).isEmpty();
        List<PartitionKey> taken = List.of(
                new PartitionKey(1, 0), new PartitionKey(1, 300), new PartitionKey(2, 1), new PartitionKey(70_000, 0));
        for (int i = taken.size() - 1; i >= 0; i--) {
            assertThat(store().partition(taken.get(i)).take()).isEqualTo(1);
        }
        assertThat(store().partition(new PartitionKey(1, 1)).lastOffset()).isEmpty();
        assertThat(store().partition(new PartitionKey(1, 2)).epoch()).isZero();
        PartitionStore partition = store().partition(taken.get(1));
        applied(partition.append(OWNER, WriteMode.INSERT_IF_ABSENT, List.of(event(1))));
        applied(partition.writeNumbers(OWNER, new NumberList().with(1, 1, 0, 1), 2));

        assertThat(store().partitions()).isEqualTo(taken);
    }

    @Test
    void partition_neverWritten_hasNoRows() {
        PartitionStore partition = partition();
        assertThat(partition.key()).isEqualTo(KEY);
        assertThat(partition.epoch()).isZero();
        assertThat(partition.events(1, 10)).isEmpty();
        assertThat(headers(partition, 1, 10)).isEmpty();
        assertThat(partition.lastOffset()).isEmpty();
        assertThat(partition.appliedOffset()).isEmpty();
        assertThat(partition.workspaceEvents(1, 1, 10)).isEmpty();
        assertThat(partition.record(1, 200_001)).isEmpty();
        assertThat(partition.registered(1, 200_001)).isEmpty();
        assertThat(partition.keyed(1, "key")).isEmpty();
        assertThat(partition.skipped(1, 10)).isEmpty();
        assertThat(partition.checkpoint()).isEmpty();
        assertThat(numbers(partition, 1, 0, 1)).containsExactly(0, 0, 0);
    }

    @Test
    void partition_twoViews_areOnePartition() {
        PartitionStore one = partition();
        PartitionStore other = partition();
        assertThat(one.take()).isEqualTo(1);
        assertThat(other.epoch()).isEqualTo(1);
        assertThat(other.take()).isEqualTo(2);
        fenced(2, one.append(1, WriteMode.INSERT_IF_ABSENT, List.of(event(1))));
        LogEvent event = event(1, 2);
        applied(other.append(2, WriteMode.INSERT_IF_ABSENT, List.of(event)));
        assertThat(one.events(1, 10)).containsExactly(event);
        assertThat(one.lastOffset()).hasValue(1);
    }

    /** S42. */
    @Test
    void rows_ofOtherApplicationsPartitionsWorkspacesAndSequences_areApart() {
        List<PartitionKey> keys = List.of(
                new PartitionKey(1, 0),
                new PartitionKey(1, 1),
                new PartitionKey(1, 256),
                new PartitionKey(2, 0),
                new PartitionKey(256, 1),
                new PartitionKey(Integer.MAX_VALUE, Integer.MAX_VALUE));
        long[] workspaces = {Long.MIN_VALUE, -1, 0, 1, 256, Long.MAX_VALUE};
        for (int i = 0; i < keys.size(); i++) {
            PartitionStore partition = store().partition(keys.get(i));
            partition.take();
            applied(partition.append(OWNER, WriteMode.INSERT_IF_ABSENT, List.of(event(10 + i))));
            for (int w = 0; w < workspaces.length; w++) {
                long n = 1 + 100L * i + w;
                applied(partition.derive(OWNER, derived(workspaces[w], 1, n).rows()));
                NumberList numbers = new NumberList().with(workspaces[w], 1 + w, 0, n, 1, 1_000 + n);
                applied(partition.writeNumbers(OWNER, numbers, 10 + i));
            }
        }
        for (int i = 0; i < keys.size(); i++) {
            PartitionStore partition = store().partition(keys.get(i));
            assertThat(offsets(partition.events(1, 10))).containsExactly(10L + i);
            assertThat(partition.lastOffset()).hasValue(10 + i);
            assertThat(headers(partition, 1, 10)).hasSize(1);
            assertThat(partition.checkpoint()).contains(new Checkpoint(10 + i, OWNER));
            for (int w = 0; w < workspaces.length; w++) {
                long n = 1 + 100L * i + w;
                assertThat(numbers(partition, workspaces[w], 0, 1, 2)).containsExactly(1 + w, n, 1_000 + n, 0);
                assertThere(partition, derived(workspaces[w], 1, n));
                assertThat(partition.workspaceEvents(workspaces[w], 1, 10)).hasSize(1);
            }
        }
    }

    // ---- ownership

    @Test
    void take_raisesTheEpochByOne_whoeverHadIt() {
        PartitionStore partition = partition();
        for (long epoch = 1; epoch <= 5; epoch++) {
            assertThat(partition.take()).isEqualTo(epoch);
            assertThat(partition.epoch()).isEqualTo(epoch);
        }
    }

    @Test
    void take_ofManyAtOnce_eachHasAnEpochOfItsOwn() throws Exception {
        Set<Long> epochs = ConcurrentHashMap.newKeySet();
        Together.run(4, thread -> {
            for (int i = 0; i < 25; i++) {
                assertThat(epochs.add(partition().take())).isTrue();
            }
        });
        assertThat(epochs).hasSize(100).contains(1L, 100L);
        assertThat(partition().epoch()).isEqualTo(100);
    }

    @Test
    void renew_byThePresentOwner_raisesTheEpochByOne() {
        PartitionStore partition = owned();
        applied(partition.renew(1));
        assertThat(partition.epoch()).isEqualTo(2);
        fenced(2, partition.append(1, WriteMode.PUT, List.of(event(1))));
        applied(partition.append(2, WriteMode.PUT, List.of(event(1, 2))));
    }

    @Test
    void renew_ofManyAtOnce_oneIsApplied() throws Exception {
        PartitionStore partition = owned();
        AtomicInteger applied = new AtomicInteger();
        Together.run(4, thread -> {
            if (partition.renew(OWNER) instanceof LogOutcome.Applied) {
                applied.incrementAndGet();
            }
        });
        assertThat(applied).hasValue(1);
        assertThat(partition.epoch()).isEqualTo(2);
    }

    /** Of one who lost the partition, and of one who never had it. */
    @Test
    void everyWrite_underAnotherEpoch_isFencedAndWritesNothing() {
        PartitionStore partition = owned();
        partition.take();
        for (long epoch : new long[] {1, 3, Long.MAX_VALUE}) {
            fenced(2, partition.renew(epoch));
            for (WriteMode mode : WriteMode.values()) {
                fenced(2, partition.append(epoch, mode, List.of(event(1, epoch))));
                fenced(2, partition.derive(epoch, derived(1, 1, 1).with(mode, mode)));
            }
            fenced(2, partition.writeNumbers(epoch, new NumberList().with(1, 1, 0, 5), 7));
            fenced(2, partition.resetCheckpoint(epoch));
        }
        assertThat(partition.epoch()).isEqualTo(2);
        assertThat(partition.events(1, 10)).isEmpty();
        assertThat(headers(partition, 1, 10)).isEmpty();
        assertThat(partition.lastOffset()).isEmpty();
        assertThat(partition.record(1, 1)).isEmpty();
        assertThat(partition.registered(1, 1)).isEmpty();
        assertThat(partition.keyed(1, "key 1")).isEmpty();
        assertThat(partition.skipped(1, 10)).isEmpty();
        assertThat(partition.workspaceEvents(1, 1, 10)).isEmpty();
        assertThat(partition.appliedOffset()).isEmpty();
        assertThat(partition.checkpoint()).isEmpty();
        assertThat(numbers(partition, 1, 0)).containsExactly(0, 0);
    }

    /** An owner has an epoch from 1 on, so 0 is no owner of a partition that nobody took. */
    @Test
    void everyWrite_underEpochZero_isRefused() {
        PartitionStore partition = partition();
        illegal(() -> partition.renew(0));
        illegal(() -> partition.append(0, WriteMode.PUT, List.of(event(1))));
        illegal(() -> partition.derive(0, derived(1, 1, 1).rows()));
        illegal(() -> partition.writeNumbers(0, new NumberList().with(1, 1, 0, 5), 7));
        illegal(() -> partition.resetCheckpoint(0));
        assertThat(partition.epoch()).isZero();
    }

    /** Who has taken the partition reads a log to which the owner before adds nothing more. */
    @Test
    void take_whileTheOwnerBeforeWrites_nothingOfItLandsLater() throws Exception {
        PartitionStore before = owned();
        CountDownLatch underWay = new CountDownLatch(1);
        Together.run(2, thread -> {
            if (thread == 0) {
                LogOutcome outcome = LogOutcome.Applied.APPLIED;
                for (long offset = 1; outcome instanceof LogOutcome.Applied; offset++) {
                    outcome = before.append(OWNER, WriteMode.INSERT_IF_ABSENT, List.of(event(offset)));
                    if (outcome instanceof LogOutcome.Applied) {
                        underWay.countDown();
                        outcome = before.writeNumbers(OWNER, new NumberList().with(1, 1, 0, offset), offset + 1);
                    }
                }
                fenced(2, outcome);
            } else {
                assertThat(underWay.await(Together.PATIENCE_SECONDS, SECONDS)).isTrue();
                PartitionStore after = partition();
                assertThat(after.take()).isEqualTo(2);
                long last = after.lastOffset().orElseThrow();
                long number = numbers(after, 1, 0)[1];
                assertThat(number).isBetween(last - 1, last);
                applied(after.append(2, WriteMode.INSERT_IF_ABSENT, List.of(event(last + 1, 2))));
                assertThat(numbers(after, 1, 0)[1]).isEqualTo(number);
            }
        });
        List<LogEvent> events = partition().events(1, Integer.MAX_VALUE);
        assertThat(events).filteredOn(event -> event.epoch() == 2).containsExactly(events.get(events.size() - 1));
    }

    // ---- the log

    @Test
    void append_isReadAsItWasWritten() {
        PartitionStore partition = owned();
        List<LogEvent> events = List.of(
                new LogEvent(1, 1, new EventHeader(0, 1, mark(), "", new int[0], new long[0]), new byte[0]),
                new LogEvent(
                        2,
                        9,
                        new EventHeader(
                                Long.MIN_VALUE,
                                Integer.MAX_VALUE,
                                new WriterMark(Long.MIN_VALUE, Long.MAX_VALUE),
                                "key é 𝄞",
                                new int[] {0, 7, Integer.MAX_VALUE},
                                new long[] {1, 200_001, Long.MAX_VALUE}),
                        new byte[] {0, -1, 127, -128}),
                new LogEvent(
                        Long.MAX_VALUE,
                        Long.MAX_VALUE,
                        new EventHeader(-1, 2, new WriterMark(0, 0), "k", new int[] {3}, new long[] {4}),
                        new byte[1]));
        applied(partition.append(OWNER, WriteMode.INSERT_IF_ABSENT, events));
        assertThat(partition.events(1, 10)).isEqualTo(events);
        assertThat(headers(partition, 1, 10)).isEqualTo(shown(events));
        assertThat(partition.lastOffset()).hasValue(Long.MAX_VALUE);
    }

    @Test
    void append_theGreatestBody_isReadAsItWasWritten() {
        PartitionStore partition = owned();
        byte[] body = new byte[LogEvent.MAX_BODY_BYTES];
        new Random(1).nextBytes(body);
        LogEvent event = new LogEvent(1, OWNER, header(1), body);
        applied(partition.append(OWNER, WriteMode.INSERT_IF_ABSENT, List.of(event)));
        assertThat(partition.events(1, 10)).containsExactly(event);
    }

    @Test
    void events_inPages_areThereInOrder() {
        PartitionStore partition = owned();
        List<LogEvent> all = append(partition, 1, 300, 7);
        List<LogEvent> read = new ArrayList<>();
        List<LogEvent> page = partition.events(Long.MIN_VALUE, 11);
        while (!page.isEmpty()) {
            assertThat(page).hasSizeLessThanOrEqualTo(11);
            read.addAll(page);
            page = partition.events(read.get(read.size() - 1).offset() + 1, 11);
        }
        assertThat(read).isEqualTo(all);
        assertThat(partition.events(301, 10)).isEmpty();
        assertThat(partition.events(Long.MAX_VALUE, 10)).isEmpty();
    }

    /** A page of events has a bound of its own: as many large ones as were asked for would not fit into memory. */
    @Test
    void events_withLargeBodies_comeInPagesOfSomeMegabytes() {
        PartitionStore partition = owned();
        List<LogEvent> all = new ArrayList<>();
        for (long offset = 1; offset <= 5; offset++) {
            all.add(new LogEvent(offset, OWNER, header(1), new byte[(int) (PartitionStore.PAGE_BYTES / 2)]));
            applied(partition.append(OWNER, WriteMode.INSERT_IF_ABSENT, all.subList((int) offset - 1, (int) offset)));
        }
        assertThat(partition.events(1, 10)).isEqualTo(all.subList(0, 2));
        assertThat(partition.events(4, 10)).isEqualTo(all.subList(3, 5));
        HeaderList headers = new HeaderList();
        assertThat(partition.replay(1, 10, headers)).isEqualTo(5);
    }

    @Test
    void everyListing_withoutALimit_isRefused() {
        PartitionStore partition = partition();
        illegal(() -> partition.events(1, 0));
        illegal(() -> partition.replay(1, 0, new HeaderList()));
        illegal(() -> partition.workspaceEvents(1, 1, 0));
    }

    /** Whether offsets follow one another is not the store's business. */
    @Test
    void append_withHolesAndBackwards_isKept() {
        PartitionStore partition = owned();
        for (long offset : new long[] {1_000, 70_000, 5, 65_536}) {
            applied(partition.append(
                    OWNER, WriteMode.INSERT_IF_ABSENT, List.of(event(offset), event(offset + 2), event(offset + 4))));
        }
        applied(partition.append(OWNER, WriteMode.INSERT_IF_ABSENT, List.of(event(6), event(1_003))));
        List<Long> expected = List.of(
                5L, 6L, 7L, 9L, 1_000L, 1_002L, 1_003L, 1_004L, 65_536L, 65_538L, 65_540L, 70_000L, 70_002L, 70_004L);
        assertThat(offsets(partition.events(1, 100))).isEqualTo(expected);
        assertThat(headers(partition, 1, 100)).isEqualTo(shown(partition.events(1, 100)));
        assertThat(partition.lastOffset()).hasValue(70_004);
    }

    @Test
    void append_ofNothingOrNotRising_isRefused() {
        PartitionStore partition = owned();
        illegal(() -> partition.append(OWNER, WriteMode.PUT, List.of()));
        illegal(() -> partition.append(OWNER, WriteMode.PUT, List.of(event(2), event(1))));
        illegal(() -> partition.append(OWNER, WriteMode.PUT, List.of(event(1), event(1))));
        assertThat(partition.events(1, 10)).isEmpty();
    }

    @Test
    void append_whereAnEventIs_isOccupiedAndWritesNothing() {
        PartitionStore partition = owned();
        LogEvent there = event(2);
        applied(partition.append(OWNER, WriteMode.INSERT_IF_ABSENT, List.of(there)));
        List<LogEvent> group = List.of(event(1), event(2), event(3));
        assertThat(occupied(partition.append(OWNER, WriteMode.INSERT_IF_ABSENT, group)))
                .isEqualTo(there);
        assertThat(partition.events(1, 10)).containsExactly(there);
        assertThat(headers(partition, 1, 10)).isEqualTo(shown(List.of(there)));
        assertThat(partition.lastOffset()).hasValue(2);
    }

    /** S45: an append that was applied and whose answer was lost, sent again. */
    @Test
    void append_ofEventsThatHaveLanded_isApplied() {
        PartitionStore partition = owned();
        List<LogEvent> group = List.of(event(1), event(2), event(3));
        applied(partition.append(OWNER, WriteMode.INSERT_IF_ABSENT, group));
        applied(partition.append(OWNER, WriteMode.INSERT_IF_ABSENT, group));
        applied(partition.append(OWNER, WriteMode.INSERT_IF_ABSENT, group.subList(1, 2)));
        assertThat(partition.events(1, 10)).isEqualTo(group);
        assertThat(headers(partition, 1, 10)).isEqualTo(shown(group));
    }

    /** One of them is another writer's. */
    @Test
    void append_ofEventsOfWhichOneHasAnotherMark_isOccupied() {
        PartitionStore partition = owned();
        List<LogEvent> group = List.of(event(1), event(2), event(3));
        applied(partition.append(OWNER, WriteMode.INSERT_IF_ABSENT, group));
        for (int other = 0; other < 3; other++) {
            List<LogEvent> mixed = new ArrayList<>(group);
            mixed.set(other, event(other + 1));
            assertThat(group).contains((LogEvent) occupied(partition.append(OWNER, WriteMode.INSERT_IF_ABSENT, mixed)));
        }
        assertThat(partition.events(1, 10)).isEqualTo(group);
    }

    /** A group is written whole, so a part of it that is there was written by another. */
    @Test
    void append_ofEventsOfWhichAPartHasLanded_isOccupied() {
        PartitionStore partition = owned();
        List<LogEvent> group = List.of(event(1), event(2), event(3));
        applied(partition.append(OWNER, WriteMode.INSERT_IF_ABSENT, group.subList(0, 2)));
        assertThat(group).contains((LogEvent) occupied(partition.append(OWNER, WriteMode.INSERT_IF_ABSENT, group)));
        assertThat(partition.events(1, 10)).isEqualTo(group.subList(0, 2));
    }

    @Test
    void append_putWhereEventsAre_writesOverThem() {
        PartitionStore partition = owned();
        List<LogEvent> expected = new ArrayList<>(append(partition, 1, 30, 10));
        List<LogEvent> over = List.of(event(9), event(10), event(11), event(25), event(31));
        applied(partition.append(OWNER, WriteMode.PUT, over));
        for (LogEvent event : over.subList(0, 4)) {
            expected.set((int) event.offset() - 1, event);
        }
        expected.add(over.get(4));
        assertThat(partition.events(1, 100)).isEqualTo(expected);
        assertThat(headers(partition, 1, 100)).isEqualTo(shown(expected));
    }

    /** S43. */
    @Test
    void append_ofTwoAtOnce_oneIsAppliedInEachRound() throws Exception {
        int pairs = pairs();
        int rounds = 10_000 / pairs;
        List<Map<Long, LogEvent>> winners = new ArrayList<>();
        for (int pair = 0; pair < pairs; pair++) {
            assertThat(store().partition(new PartitionKey(2, pair)).take()).isEqualTo(OWNER);
            winners.add(new ConcurrentHashMap<>());
        }
        Together.run(2 * pairs, thread -> {
            PartitionStore view = store().partition(new PartitionKey(2, thread / 2));
            Map<Long, LogEvent> won = winners.get(thread / 2);
            for (long offset = 1; offset <= rounds; offset++) {
                LogEvent mine = event(offset);
                LogOutcome outcome = view.append(OWNER, WriteMode.INSERT_IF_ABSENT, List.of(mine));
                if (outcome instanceof LogOutcome.Applied) {
                    assertThat(won.put(offset, mine)).isNull();
                } else {
                    assertThat(occupied(outcome)).isNotEqualTo(mine);
                }
            }
        });
        for (int pair = 0; pair < pairs; pair++) {
            Map<Long, LogEvent> won = winners.get(pair);
            assertThat(won).hasSize(rounds);
            assertThat(store().partition(new PartitionKey(2, pair)).events(1, rounds + 1))
                    .allSatisfy(event -> assertThat(won).containsEntry(event.offset(), event))
                    .hasSize(rounds);
        }
    }

    @Test
    void append_ofAGroup_isSeenWholeOrNotAtAll() throws Exception {
        PartitionStore partition = owned();
        AtomicBoolean done = new AtomicBoolean();
        Together.run(3, thread -> {
            if (thread == 0) {
                append(partition, 1, 500, 10);
                done.set(true);
            } else {
                boolean last;
                do {
                    last = done.get();
                    assertThat(partition().events(1, 1_000).size() % 10).isZero();
                    assertThat(headers(partition(), 1, 1_000).size() % 10).isZero();
                    assertThat(partition().lastOffset().orElse(0) % 10).isZero();
                } while (!last);
            }
        });
    }

    // ---- replay

    @Test
    void replay_fromAnyOffsetWithAnyLimit_showsTheHeadersFromThere() {
        PartitionStore partition = owned();
        List<HeaderList.Shown> all = shown(append(partition, 1, 40, 8));
        for (int from = 1; from <= 42; from++) {
            for (int limit : new int[] {1, 3, 8, 40, Integer.MAX_VALUE}) {
                int first = Math.min(from - 1, 40);
                int end = (int) Math.min(40L, first + (long) limit);
                assertThat(headers(partition, from, limit)).isEqualTo(all.subList(first, end));
            }
        }
        assertThat(headers(partition, Long.MIN_VALUE, 40)).isEqualTo(all);
        assertThat(headers(partition, Long.MAX_VALUE, 40)).isEmpty();
    }

    /** More than one row of any store should hold. */
    @Test
    void replay_ofAGroupWithManyNumbers_showsThemAll() {
        PartitionStore partition = owned();
        List<LogEvent> group = LongStream.rangeClosed(1, 200)
                .mapToObj(offset -> new LogEvent(offset, OWNER, header(offset, 1_000), new byte[1]))
                .toList();
        applied(partition.append(OWNER, WriteMode.INSERT_IF_ABSENT, group));
        assertThat(headers(partition, 1, 1_000)).isEqualTo(shown(group));
        assertThat(headers(partition, 150, 1_000)).isEqualTo(shown(group.subList(149, 200)));
        LogEvent alone = new LogEvent(201, OWNER, header(201, 20_000), new byte[1]);
        applied(partition.append(OWNER, WriteMode.INSERT_IF_ABSENT, List.of(alone)));
        assertThat(headers(partition, 200, 2)).isEqualTo(shown(List.of(group.get(199), alone)));
    }

    @Test
    void replay_visitorThrows_isThrownAndTheStoreGoesOn() {
        PartitionStore partition = owned();
        List<LogEvent> events = append(partition, 1, 10, 5);
        IllegalStateException mine = new IllegalStateException("enough");
        assertThatThrownBy(() -> partition.replay(1, 10, (o, e, w, k, writer, write, count, ids, values) -> {
                    throw mine;
                }))
                .isSameAs(mine);
        assertThat(store().failure()).isEmpty();
        assertThat(headers(partition, 1, 10)).isEqualTo(shown(events));
    }

    /** Groups of any size, with holes, over one another and out of order, against a map. */
    @Test
    void replayAndEvents_afterRandomAppends_areThoseOfAMap() {
        long seed = Long.getLong("seriatim.seed", 20_261_128);
        Random random = new Random(seed);
        PartitionStore partition = owned();
        NavigableMap<Long, LogEvent> model = new TreeMap<>();
        for (int round = 0; round < 400; round++) {
            List<LogEvent> group = new ArrayList<>();
            long offset = 1L + random.nextInt(300);
            for (int i = random.nextInt(12); i >= 0; i--) {
                group.add(new LogEvent(offset, OWNER, header(random.nextInt(5), random.nextInt(4)), new byte[2]));
                offset += 1 + (random.nextBoolean() ? 0 : random.nextInt(5));
            }
            WriteMode mode = random.nextBoolean() ? WriteMode.PUT : WriteMode.INSERT_IF_ABSENT;
            boolean free = group.stream().noneMatch(event -> model.containsKey(event.offset()));
            LogOutcome outcome = partition.append(OWNER, mode, group);
            if (mode == WriteMode.PUT || free) {
                applied(outcome);
                group.forEach(event -> model.put(event.offset(), event));
            } else {
                assertThat(model).containsValue((LogEvent) occupied(outcome));
            }
            long from = random.nextInt(320);
            int limit = 1 + random.nextInt(100);
            List<LogEvent> expected =
                    model.tailMap(from).values().stream().limit(limit).toList();
            assertThat(partition.events(from, limit))
                    .as("seed %d round %d", seed, round)
                    .isEqualTo(expected);
            assertThat(headers(partition, from, limit))
                    .as("seed %d round %d", seed, round)
                    .isEqualTo(shown(expected));
            assertThat(partition.lastOffset()).hasValue(model.lastKey());
        }
    }

    // ---- numbers

    /** S40. */
    @Test
    void readNumbers_inTheOrderAsked_andNoneWhereNoneIs() {
        PartitionStore partition = owned();
        NumberList numbers = new NumberList().with(1, 1, 1, 1, 2, 6, 3, 8).with(2, 1, 1, 3, 2, 1);
        applied(partition.writeNumbers(OWNER, numbers, 42));
        assertThat(partition.checkpoint()).contains(new Checkpoint(42, OWNER));
        assertThat(numbers(partition, 1, 4, 3, 2, 1)).containsExactly(1, 0, 8, 6, 1);
        assertThat(numbers(partition, 2, 3)).containsExactly(1, 0);
        assertThat(numbers(partition, 3, 1)).containsExactly(0, 0);
        assertThat(numbers(partition, 1)).containsExactly(1);
    }

    @Test
    void writeNumbers_greatestValues_areKept() {
        PartitionStore partition = owned();
        for (long workspace : new long[] {Long.MIN_VALUE, 0, Long.MAX_VALUE}) {
            NumberList numbers =
                    new NumberList().with(workspace, Integer.MAX_VALUE, 0, 1, Integer.MAX_VALUE, Long.MAX_VALUE);
            applied(partition.writeNumbers(OWNER, numbers, Long.MAX_VALUE));
            assertThat(numbers(partition, workspace, Integer.MAX_VALUE, 0))
                    .containsExactly(Integer.MAX_VALUE, Long.MAX_VALUE, 1);
        }
        assertThat(partition.checkpoint()).contains(new Checkpoint(Long.MAX_VALUE, OWNER));
    }

    @Test
    void writeNumbers_onlyRaises() {
        PartitionStore partition = owned();
        applied(partition.writeNumbers(OWNER, new NumberList().with(1, 1, 5, 50, 6, 60), 10));
        applied(partition.writeNumbers(OWNER, new NumberList().with(1, 1, 5, 49, 6, 61, 7, 1), 11));
        assertThat(numbers(partition, 1, 5, 6, 7)).containsExactly(1, 50, 61, 1);
    }

    @Test
    void writeNumbers_ofAWorkspaceInSeveralRows_keepsTheGreatest() {
        PartitionStore partition = owned();
        NumberList numbers = new NumberList()
                .with(1, 1, 5, 50)
                .with(2, 2, 5, 7)
                .with(1, 1, 5, 40, 6, 60)
                .with(1, 1, 6, 59, 4, 1);
        applied(partition.writeNumbers(OWNER, numbers, 10));
        assertThat(numbers(partition, 1, 4, 5, 6)).containsExactly(1, 1, 50, 60);
        assertThat(numbers(partition, 2, 5)).containsExactly(2, 7);
    }

    /** The first event of a workspace binds it. */
    @Test
    void writeNumbers_underAnotherKind_leavesTheKind() {
        PartitionStore partition = owned();
        applied(partition.writeNumbers(OWNER, new NumberList().with(1, 3, 5, 50), 10));
        applied(partition.writeNumbers(OWNER, new NumberList().with(1, 4, 5, 51), 11));
        assertThat(numbers(partition, 1, 5)).containsExactly(3, 51);
    }

    @Test
    void writeNumbers_checkpoint_onlyRises() {
        PartitionStore partition = owned();
        applied(partition.writeNumbers(1, new NumberList().with(1, 1, 0, 1), 10));
        applied(partition.renew(1));
        applied(partition.writeNumbers(2, new NumberList().with(1, 1, 0, 2), 9));
        assertThat(partition.checkpoint()).contains(new Checkpoint(10, 1));
        assertThat(numbers(partition, 1, 0)).containsExactly(1, 2);
        applied(partition.writeNumbers(2, new NumberList(), 10));
        assertThat(partition.checkpoint()).contains(new Checkpoint(10, 2));
        applied(partition.writeNumbers(2, new NumberList().with(1, 1, 0, 1), 11));
        assertThat(partition.checkpoint()).contains(new Checkpoint(11, 2));
        assertThat(numbers(partition, 1, 0)).containsExactly(1, 2);
    }

    @Test
    void resetCheckpoint_setsItToTheFirstOffset_andLeavesTheNumbers() {
        PartitionStore partition = owned();
        applied(partition.writeNumbers(OWNER, new NumberList().with(1, 1, 5, 50), 10));
        applied(partition.renew(OWNER));
        applied(partition.resetCheckpoint(2));
        assertThat(partition.checkpoint()).contains(new Checkpoint(1, 2));
        assertThat(numbers(partition, 1, 5)).containsExactly(1, 50);
        applied(partition.writeNumbers(2, new NumberList().with(1, 1, 5, 3), 4));
        assertThat(partition.checkpoint()).contains(new Checkpoint(4, 2));
        assertThat(numbers(partition, 1, 5)).containsExactly(1, 50);
    }

    @Test
    void writeNumbers_thatNoWorkspaceCanHave_isRefusedWhole() {
        PartitionStore partition = owned();
        List<NumberRows> bad = List.of(
                new NumberList().with(1, 1, 0, 1).with(2, 0, 0, 1),
                new NumberList().with(1, 1, 0, 1).with(2, 1, 0, 0),
                new NumberList().with(1, 1, 0, 1).with(2, 1, -1, 1),
                new NumberList().with(1, 1, 0, 1).with(2, 1));
        for (NumberRows rows : bad) {
            illegal(() -> partition.writeNumbers(OWNER, rows, 5));
        }
        illegal(() -> partition.writeNumbers(OWNER, new NumberList().with(1, 1, 0, 1), 0));
        assertThat(partition.checkpoint()).isEmpty();
        assertThat(numbers(partition, 1, 0)).containsExactly(0, 0);
    }

    /** S44: who sees the checkpoint of a batch sees all its numbers. */
    @Test
    void writeNumbers_ofFiveHundredWorkspaces_areSeenAllOrNone() throws Exception {
        PartitionStore partition = owned();
        AtomicBoolean done = new AtomicBoolean();
        Together.run(2, thread -> {
            if (thread == 0) {
                for (long number = 1; number <= 100; number++) {
                    NumberList numbers = new NumberList();
                    for (int workspace = 0; workspace < 500; workspace++) {
                        numbers.with(workspace, 1, 0, number);
                    }
                    applied(partition.writeNumbers(OWNER, numbers, number + 1));
                }
                done.set(true);
            } else {
                boolean last;
                do {
                    last = done.get();
                    long covered =
                            partition.checkpoint().map(Checkpoint::nextOffset).orElse(1L) - 1;
                    for (int workspace = 0; workspace < 500; workspace++) {
                        assertThat(numbers(partition, workspace, 0)[1]).isGreaterThanOrEqualTo(covered);
                    }
                } while (!last);
            }
        });
        assertThat(partition.checkpoint()).contains(new Checkpoint(101, OWNER));
        assertThat(IntStream.range(0, 500))
                .allSatisfy(workspace ->
                        assertThat(numbers(partition, workspace, 0)).containsExactly(1, 100));
    }

    /** More workspaces than any table begins with. */
    @Test
    void writeNumbers_ofManyWorkspaces_areAllThere() {
        PartitionStore partition = owned();
        Random random = new Random(7);
        Map<Long, Long> expected = new LinkedHashMap<>();
        for (int batch = 0; batch < 20; batch++) {
            NumberList numbers = new NumberList();
            for (int i = 0; i < 500; i++) {
                long workspace = random.nextBoolean() ? random.nextInt(2_000) : (long) random.nextInt(50) << 56;
                long number = 1L + random.nextInt(1_000_000);
                numbers.with(workspace, 1, 3, number);
                expected.merge(workspace, number, Math::max);
            }
            applied(partition.writeNumbers(OWNER, numbers, 1 + batch));
        }
        expected.forEach((workspace, number) ->
                assertThat(numbers(partition, workspace, 3)).containsExactly(1, number));
    }

    @Test
    void writeNumbers_ofManyAtOnce_keepsTheGreatest() throws Exception {
        PartitionStore partition = owned();
        Together.run(4, thread -> {
            for (int i = 1; i <= 250; i++) {
                long number = 4L * i + thread;
                NumberList numbers = new NumberList().with(1, 1, 0, number, 1 + thread, number);
                applied(partition().writeNumbers(OWNER, numbers, number));
            }
        });
        assertThat(numbers(partition, 1, 0, 1, 2, 3, 4)).containsExactly(1, 1_003, 1_000, 1_001, 1_002, 1_003);
        assertThat(partition.checkpoint()).contains(new Checkpoint(1_003, OWNER));
    }

    /** Numbers and derived rows need not wait for the disk behind a long append. */
    @Test
    void everyWrite_ofOneOwnerAtOnce_isApplied() throws Exception {
        PartitionStore partition = owned();
        Together.run(3, thread -> {
            for (long i = 1; i <= 200; i++) {
                switch (thread) {
                    case 0 -> applied(partition.append(OWNER, WriteMode.INSERT_IF_ABSENT, List.of(event(i))));
                    case 1 -> applied(partition.derive(OWNER, derived(1, i, i).rows()));
                    default -> applied(partition.writeNumbers(OWNER, new NumberList().with(1, 1, 0, i), i));
                }
            }
        });
        assertThat(partition.lastOffset()).hasValue(200);
        assertThat(partition.workspaceEvents(1, 1, 1_000)).hasSize(200);
        assertThat(numbers(partition, 1, 0)).containsExactly(1, 200);
    }

    // ---- the end

    @Test
    void failure_whileItWorks_isEmpty() {
        append(owned(), 1, 1, 1);
        assertThat(store().failure()).isEmpty();
    }

    @Test
    void everyCall_afterClose_isUnavailable() {
        PartitionStore partition = owned();
        store().close();
        store().close();
        unavailable(store()::partitions);
        unavailable(store()::applications);
        unavailable(() -> store().write(application(1, "shop", 1)));
        unavailable(partition::epoch);
        unavailable(partition::take);
        unavailable(() -> partition.renew(OWNER));
        unavailable(() -> partition.append(OWNER, WriteMode.PUT, List.of(event(1))));
        unavailable(() -> partition.events(1, 10));
        unavailable(() -> partition.replay(1, 10, new HeaderList()));
        unavailable(partition::lastOffset);
        unavailable(() -> partition.derive(OWNER, derived(1, 1, 1).rows()));
        unavailable(partition::appliedOffset);
        unavailable(() -> partition.workspaceEvents(1, 1, 10));
        unavailable(() -> partition.record(1, 1));
        unavailable(() -> partition.registered(1, 1));
        unavailable(() -> partition.keyed(1, "key"));
        unavailable(() -> partition.skipped(1, 10));
        unavailable(partition::checkpoint);
        unavailable(() -> partition.readNumbers(1, new int[] {0}, new long[1]));
        unavailable(() -> partition.writeNumbers(OWNER, new NumberList().with(1, 1, 0, 1), 2));
        unavailable(() -> partition.resetCheckpoint(OWNER));
    }

    /** Each call either goes through or is refused. */
    @Test
    void close_whileCallsAreUnderWay_breaksNone() throws Exception {
        PartitionStore partition = owned();
        CountDownLatch underWay = new CountDownLatch(2);
        Together.run(3, thread -> {
            if (thread == 2) {
                assertThat(underWay.await(Together.PATIENCE_SECONDS, SECONDS)).isTrue();
                store().close();
                return;
            }
            for (long i = 1; ; i++) {
                try {
                    if (thread == 0) {
                        applied(partition.append(OWNER, WriteMode.INSERT_IF_ABSENT, List.of(event(i))));
                    } else {
                        applied(partition.writeNumbers(OWNER, new NumberList().with(1, 1, 0, i), i));
                    }
                } catch (StoreException e) {
                    assertThat(e.kind()).isEqualTo(StoreException.Kind.UNAVAILABLE);
                    return;
                }
                if (i == 1) {
                    underWay.countDown();
                }
            }
        });
    }
}
