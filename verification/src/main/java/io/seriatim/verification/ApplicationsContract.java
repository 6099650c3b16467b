package io.seriatim.verification;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.seriatim.store.ApplicationRow;
import io.seriatim.store.EventLogStore;
import io.seriatim.store.LogOutcome;
import io.seriatim.store.WriterMark;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** What every {@link EventLogStore} promises of applications; part of {@link EventLogStoreContract}. */
abstract class ApplicationsContract extends OpenEventLog {

    @Test
    void applications_areThoseThatWereWritten_inOrderOfTheirIds() {
        assertThat(store().applications()).isEmpty();
        List<ApplicationRow> inOrder = IntStream.of(1, 2, 255, 256, 70_000, Integer.MAX_VALUE)
                .mapToObj(id -> application(id, "name " + -id, 1))
                .toList();
        for (int i = inOrder.size() - 1; i >= 0; i--) {
            applied(store().write(inOrder.get(i)));
        }
        assertThat(store().applications()).isEqualTo(inOrder);
        assertThat(store().partitions()).isEmpty();
    }

    @Test
    void write_isReadAsItWasWritten() {
        byte[] body = new byte[1 << 20];
        new Random(1).nextBytes(body);
        ApplicationRow great = new ApplicationRow(1, "é 𝄞\n", 1, new WriterMark(Long.MIN_VALUE, Long.MAX_VALUE), body);
        ApplicationRow small = new ApplicationRow(2, "", 1, new WriterMark(0, 0), new byte[0]);
        applied(store().write(great));
        applied(store().write(small));
        assertThat(store().applications()).containsExactly(great, small);
    }

    @Test
    void write_overTheRevisionBefore_takesItsPlace() {
        ApplicationRow other = application(3, "other", 1);
        applied(store().write(other));
        for (long revision = 1; revision <= 5; revision++) {
            ApplicationRow row = application(2, "shop", revision);
            applied(store().write(row));
            assertThat(store().applications()).containsExactly(row, other);
        }
    }

    @Test
    void write_underAnotherRevision_isOccupiedAndWritesNothing() {
        applied(store().write(application(1, "shop", 1)));
        ApplicationRow there = application(1, "shop", 2);
        applied(store().write(there));
        for (long revision : new long[] {1, 2, 4, Long.MAX_VALUE}) {
            assertThat(occupied(store().write(application(1, "shop", revision))))
                    .isEqualTo(there);
        }
        assertThat(store().applications()).containsExactly(there);
    }

    @Test
    void write_ofANameThatAnotherIdHas_isOccupiedAndWritesNothing() {
        ApplicationRow there = application(5, "shop", 1);
        applied(store().write(there));
        for (int id : new int[] {4, 6}) {
            for (long revision : new long[] {1, 2, 3}) {
                assertThat(occupied(store().write(application(id, "shop", revision))))
                        .isEqualTo(there);
            }
        }
        ApplicationRow sameMark = new ApplicationRow(6, "shop", 1, there.mark(), there.body());
        assertThat(occupied(store().write(sameMark))).isEqualTo(there);
        assertThat(store().applications()).containsExactly(there);
    }

    @Test
    void write_ofAnIdThatHasAnotherName_isOccupiedAndWritesNothing() {
        ApplicationRow there = application(5, "shop", 1);
        applied(store().write(there));
        for (String name : List.of("Shop", "sho", "shop ", "")) {
            for (long revision : new long[] {1, 2, 3}) {
                assertThat(occupied(store().write(application(5, name, revision))))
                        .isEqualTo(there);
            }
        }
        ApplicationRow sameMark = new ApplicationRow(5, "office", 1, there.mark(), there.body());
        assertThat(occupied(store().write(sameMark))).isEqualTo(there);
        assertThat(store().applications()).containsExactly(there);
    }

    /** One row has the id, another one the name: either may be told. */
    @Test
    void write_betweenTwoApplications_isOccupiedByOneOfThem() {
        List<ApplicationRow> there = List.of(application(1, "office", 1), application(2, "shop", 1));
        there.forEach(row -> applied(store().write(row)));
        for (long revision : new long[] {1, 2}) {
            assertThat(occupied(store().write(application(1, "shop", revision))))
                    .isIn(there);
            assertThat(occupied(store().write(application(2, "office", revision))))
                    .isIn(there);
        }
        assertThat(store().applications()).isEqualTo(there);
    }

    /** Whose answer was lost asks again with the same mark. */
    @Test
    void write_ofTheRowThatIsThereWithItsMark_isApplied() {
        ApplicationRow first = application(1, "shop", 1);
        ApplicationRow second = application(1, "shop", 2);
        for (ApplicationRow row : List.of(first, second)) {
            applied(store().write(row));
            applied(store().write(row));
            assertThat(store().applications()).containsExactly(row);
        }
        assertThat(occupied(store().write(first))).isEqualTo(second);
        WriterMark mark = second.mark();
        for (WriterMark near : List.of(
                new WriterMark(mark.writer() + 1, mark.write()), new WriterMark(mark.writer(), mark.write() + 1))) {
            assertThat(occupied(store().write(new ApplicationRow(1, "shop", 2, near, second.body()))))
                    .isEqualTo(second);
        }
        assertThat(store().applications()).containsExactly(second);
    }

    /** Nothing is there to be told, and nothing says that the revisions before were ever written. */
    @Test
    void write_ofANewOneAboveRevisionOne_isRefused() {
        illegal(() -> store().write(application(1, "shop", 2)));
        assertThat(store().applications()).isEmpty();
        applied(store().write(application(1, "shop", 1)));
        illegal(() -> store().write(application(2, "office", Long.MAX_VALUE)));
        assertThat(store().applications()).hasSize(1);
    }

    @Test
    void write_ofManyAtOnce_oneIsAppliedInEachRevision() throws Exception {
        int revisions = 25;
        Set<ApplicationRow> applied = ConcurrentHashMap.newKeySet();
        applied(store().write(application(1, "shop", 1)));
        Together.run(4, thread -> {
            for (long revision = 2; revision <= revisions; ) {
                ApplicationRow row = application(1, "shop", revision);
                if (store().write(row) instanceof LogOutcome.Applied) {
                    applied.add(row);
                }
                revision = store().applications().get(0).revision() + 1;
            }
        });
        assertThat(applied).hasSize(revisions - 1);
        assertThat(applied)
                .extracting(ApplicationRow::revision)
                .containsExactlyInAnyOrderElementsOf(
                        LongStream.rangeClosed(2, revisions).boxed().toList());
        assertThat(store().applications()).hasSize(1).allMatch(applied::contains);
    }

    @Test
    void write_ofOneNameUnderManyIdsAtOnce_oneIsApplied() throws Exception {
        for (int round = 1; round <= 10; round++) {
            String name = "name " + round;
            int first = 10 * round;
            AtomicInteger applied = new AtomicInteger();
            Together.run(4, thread -> {
                LogOutcome outcome = store().write(application(first + thread, name, 1));
                if (outcome instanceof LogOutcome.Applied) {
                    applied.incrementAndGet();
                } else {
                    assertThat(((ApplicationRow) occupied(outcome)).name()).isEqualTo(name);
                }
            });
            assertThat(applied).hasValue(1);
            assertThat(store().applications()).hasSize(round);
        }
    }

    /** A row with a mark and a body of its own. */
    protected final ApplicationRow application(int id, String name, long revision) {
        WriterMark mark = mark();
        return new ApplicationRow(
                id, name, revision, mark, Long.toString(mark.write()).getBytes(UTF_8));
    }
}
