package io.seriatim.numbering;

import static org.assertj.core.api.Assertions.assertThat;

import io.seriatim.Contract;
import io.seriatim.ErrorCode;
import io.seriatim.LedgerEntry;
import io.seriatim.RequestKey;
import io.seriatim.SequenceDefinition;
import io.seriatim.SequenceException;
import io.seriatim.Sequences;
import io.seriatim.memory.MemoryCounterStore;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Numbers whose periods only go forwards. */
final class MonotonicPeriodTest {

    private final LocalDate today = LocalDate.now(ZoneOffset.UTC);

    private final MemoryCounterStore store = new MemoryCounterStore();
    private final Sequences sequences = Sequences.on(store);
    private final Sequences others = Sequences.on(store);

    @AfterEach
    void close() {
        sequences.close();
        others.close();
    }

    private static NumberSequence define(Sequences engine, Contract contract) {
        return Numbering.on(engine)
                .define(
                        "s",
                        SequenceDefinition.ascending().contract(contract),
                        FormatDefinition.of("{date:yyyyMMdd}-{seq:3}")
                                .reset(Reset.DAILY)
                                .monotonicPeriod(true));
    }

    private String next(NumberSequence sequence, long daysFromToday) {
        return sequence.next(Ask.NOW.on(today.plusDays(daysFromToday))).text();
    }

    private static ErrorCode codeOf(Callable<?> call) {
        try {
            throw new AssertionError("no error but " + call.call());
        } catch (SequenceException e) {
            return e.code();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void next_ofAnEarlierPeriod_isRefusedByEveryNode() {
        NumberSequence here = define(sequences, Contract.ORDERED);
        NumberSequence there = define(others, Contract.ORDERED);
        assertThat(next(there, -3)).endsWith("-001");
        assertThat(next(here, -1)).endsWith("-001");
        assertThat(next(here, -1)).endsWith("-002");
        assertThat(codeOf(() -> next(there, -3))).isEqualTo(ErrorCode.PERIOD_BACKWARDS);
        assertThat(codeOf(() -> next(there, -2)))
                .as("of a period that never had a number")
                .isEqualTo(ErrorCode.PERIOD_BACKWARDS);
        assertThat(next(there, -1)).endsWith("-003");
        assertThat(next(there, 0)).endsWith("-001");
        assertThat(codeOf(() -> next(here, -1))).isEqualTo(ErrorCode.PERIOD_BACKWARDS);
    }

    @Test
    void next_farAhead_isRefused() {
        NumberSequence here = define(sequences, Contract.ORDERED);
        assertThat(codeOf(() -> next(here, 2))).isEqualTo(ErrorCode.PERIOD_AHEAD);
        assertThat(next(here, 1)).endsWith("-001");
        assertThat(codeOf(() -> next(here, 0))).isEqualTo(ErrorCode.PERIOD_BACKWARDS);
    }

    @Test
    void key_ofAPeriodLeftBehind_isAnsweredAsBefore() {
        NumberSequence here = define(sequences, Contract.ORDERED);
        RequestKey key = new RequestKey("ann", "k");
        Ask yesterday = Ask.NOW.on(today.minusDays(1));
        List<PrintedNumber> first = here.next(yesterday, 1, key);
        next(here, 0);
        assertThat(here.next(yesterday, 1, key)).isEqualTo(first);
    }

    @Test
    void reservation_ofAPeriodLeftBehind_endsAsItIsTold_andIsNotHandedOn() {
        NumberSequence here = define(sequences, Contract.GAPLESS);
        Ask yesterday = Ask.NOW.on(today.minusDays(1));
        ReservedNumber kept = here.reserve(yesterday);
        ReservedNumber given = here.reserve(yesterday);
        ReservedNumber back = here.reserve(yesterday);
        here.cancel(back.id());
        next(here, 0);
        here.confirm(kept.id());
        here.cancel(given.id());
        assertThat(here.find(kept.number().text()).state()).isEqualTo(LedgerEntry.State.CONFIRMED);
        assertThat(here.find(given.number().text()).state()).isEqualTo(LedgerEntry.State.VOIDED);
        assertThat(here.find(back.number().text()).state()).isEqualTo(LedgerEntry.State.VOIDED);
    }

    /** Whoever sees a number of a period gets none of an earlier one any more, from whichever node. */
    @Test
    void next_twoNodesOverManyPeriods_neverGoBackInRealTime() throws Exception {
        NumberSequence[] nodes = {define(sequences, Contract.ORDERED), define(others, Contract.ORDERED)};
        List<Thread> threads = new ArrayList<>();
        AtomicBoolean backwards = new AtomicBoolean();
        String[] latest = {""};
        for (int t = 0; t < 4; t++) {
            int thread = t;
            threads.add(new Thread(() -> {
                for (int i = 0; i < 60; i++) {
                    String before;
                    synchronized (latest) {
                        before = latest[0];
                    }
                    try {
                        String number = next(nodes[thread % 2], -60L + i + thread);
                        synchronized (latest) {
                            String day = number.substring(0, 8);
                            if (day.compareTo(before) < 0) {
                                backwards.set(true);
                            }
                            latest[0] = day.compareTo(latest[0]) > 0 ? day : latest[0];
                        }
                    } catch (SequenceException e) {
                        if (e.code() != ErrorCode.PERIOD_BACKWARDS) {
                            throw e;
                        }
                    }
                }
            }));
        }
        threads.forEach(Thread::start);
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(backwards).isFalse();
        assertThat(latest[0]).isNotEmpty();
    }
}
