package io.seriatim.memory;

import io.seriatim.store.NumberRows;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The numbers of workspaces. Safe for many readers; only one thread at a time may raise, which its partition sees to. */
final class NumberTable {

    /*
     * Open addressing: a workspace lies in the slot that its hash picks, or in the next free one. A row is one array:
     * the kind, then sequence id and last number by turns. So a workspace that is known is read and raised without a
     * new object; a sequence that is new to it makes its row anew.
     *
     * A reader takes no lock, and may find a workspace in the middle of a batch before or after its row: the numbers of a
     * workspace only rise, and a batch that was begun is always completed. A row is put into its slot by a release store
     * when all of it is there, and a table that grows is a new one.
     */

    private static final long GOLDEN_RATIO = 0x9E3779B97F4A7C15L;
    private static final int FIRST_SLOTS = 16;

    private static final VarHandle ROW = MethodHandles.arrayElementVarHandle(long[][].class);

    private static final class Slots {

        private final long[] workspaces;
        private final long[] @Nullable [] rows;

        Slots(int count) {
            workspaces = new long[count];
            rows = new long[count][];
        }

        int count() {
            return workspaces.length;
        }

        long workspace(int slot) {
            return workspaces[slot];
        }

        /** The slot of the workspace, or the free one where it belongs. */
        int slotOf(long workspace) {
            int slot =
                    (int) (workspace * GOLDEN_RATIO >>> (Long.SIZE - Integer.numberOfTrailingZeros(workspaces.length)));
            while (row(slot) != null && workspaces[slot] != workspace) {
                slot = slot + 1 & workspaces.length - 1;
            }
            return slot;
        }

        long @Nullable [] row(int slot) {
            return (long[]) ROW.getAcquire(rows, slot);
        }

        void put(int slot, long workspace, long[] row) {
            workspaces[slot] = workspace;
            ROW.setRelease(rows, slot, row);
        }
    }

    private volatile Slots slots = new Slots(FIRST_SLOTS);
    private int size;

    int read(long workspace, int[] sequences, long[] values) {
        Slots now = slots;
        long[] row = now.row(now.slotOf(workspace));
        for (int i = 0; i < sequences.length; i++) {
            int at = row == null ? -1 : find(row, sequences[i]);
            values[i] = row == null || at < 0 ? 0 : row[at + 1];
        }
        return row == null ? 0 : (int) row[0];
    }

    /** Refuses rows that no store may keep, before any of them is written. */
    static void check(NumberRows numbers) {
        for (int i = 0; i < numbers.size(); i++) {
            int count = numbers.count(i);
            boolean fits = numbers.kind(i) >= 1 && count >= 1;
            for (int place = 0; place < count && fits; place++) {
                fits = numbers.sequence(i, place) >= 0 && numbers.value(i, place) >= 1;
            }
            if (!fits) {
                throw new IllegalArgumentException("kinds, counts and numbers start at 1, sequences at 0: row=" + i
                        + " workspace=" + numbers.workspace(i) + " kind=" + numbers.kind(i) + " count=" + count);
            }
        }
    }

    void raise(NumberRows numbers) {
        for (int i = 0; i < numbers.size(); i++) {
            raise(numbers, i);
        }
    }

    private void raise(NumberRows numbers, int i) {
        Slots now = slots;
        long workspace = numbers.workspace(i);
        int slot = now.slotOf(workspace);
        long[] present = now.row(slot);
        long[] row = present == null ? new long[] {numbers.kind(i)} : present;
        for (int place = 0; place < numbers.count(i); place++) {
            row = raised(row, numbers.sequence(i, place), numbers.value(i, place));
        }
        if (row != present) {
            now.put(slot, workspace, row);
        }
        if (present == null) {
            size++;
            growIfFull(now);
        }
    }

    private static long[] raised(long[] row, int sequence, long value) {
        int at = find(row, sequence);
        long[] wide = row;
        if (at < 0) {
            at = row.length;
            wide = Arrays.copyOf(row, at + 2);
            wide[at] = sequence;
        }
        wide[at + 1] = Math.max(wide[at + 1], value);
        return wide;
    }

    private void growIfFull(Slots full) {
        if (size <= full.count() / 2) {
            return;
        }
        Slots larger = new Slots(Math.multiplyExact(2, full.count()));
        for (int slot = 0; slot < full.count(); slot++) {
            long[] row = full.row(slot);
            if (row != null) {
                long workspace = full.workspace(slot);
                larger.put(larger.slotOf(workspace), workspace, row);
            }
        }
        slots = larger;
    }

    /** Where the id of the sequence is in the row; its number is behind it. -1 where it is not. */
    private static int find(long[] row, int sequence) {
        for (int at = 1; at < row.length; at += 2) {
            if (row[at] == sequence) {
                return at;
            }
        }
        return -1;
    }
}
