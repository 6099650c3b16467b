package io.seriatim.memory;

import io.seriatim.store.NumberRows;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The numbers of workspaces. Safe for many readers; only one thread at a time may raise, which its partition sees to. */
final class NumberTable {

    /*
     * Open addressing: a workspace lies in the slot that its hash picks, or in the next free one. A row is one array:
     * the kind, then sequence id and last number by turns. So a workspace that is known is read and raised without a
     * new object; a sequence that is new to it makes its row anew.
     *
     * The lock is held for one workspace, not for a whole batch: who reads a workspace in the middle of a batch finds it
     * before or after its own row, and a batch that was begun is always completed.
     */

    private static final long GOLDEN_RATIO = 0x9E3779B97F4A7C15L;
    private static final int FIRST_SLOTS = 16;

    private long[] workspaces = new long[FIRST_SLOTS];
    private long[] @Nullable [] rows = new long[FIRST_SLOTS][];
    private int size;

    synchronized int read(long workspace, int[] sequences, long[] values) {
        long[] row = rows[slotOf(workspace)];
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

    private synchronized void raise(NumberRows numbers, int i) {
        int slot = slotOf(numbers.workspace(i));
        long[] row = rows[slot];
        if (row == null) {
            slot = add(slot, numbers.workspace(i), numbers.kind(i));
        }
        for (int place = 0; place < numbers.count(i); place++) {
            raise(slot, numbers.sequence(i, place), numbers.value(i, place));
        }
    }

    private void raise(int slot, int sequence, long value) {
        long[] row = row(slot);
        int at = find(row, sequence);
        if (at < 0) {
            at = row.length;
            row = Arrays.copyOf(row, at + 2);
            row[at] = sequence;
            rows[slot] = row;
        }
        row[at + 1] = Math.max(row[at + 1], value);
    }

    private int add(int slot, long workspace, int kind) {
        workspaces[slot] = workspace;
        rows[slot] = new long[] {kind};
        size++;
        if (size <= rows.length / 2) {
            return slot;
        }
        grow();
        return slotOf(workspace);
    }

    private void grow() {
        long[] oldWorkspaces = workspaces;
        long[] @Nullable [] oldRows = rows;
        workspaces = new long[Math.multiplyExact(2, oldWorkspaces.length)];
        rows = new long[workspaces.length][];
        for (int i = 0; i < oldRows.length; i++) {
            if (oldRows[i] != null) {
                int slot = slotOf(oldWorkspaces[i]);
                workspaces[slot] = oldWorkspaces[i];
                rows[slot] = oldRows[i];
            }
        }
    }

    /** The slot of the workspace, or the free one where it belongs. */
    private int slotOf(long workspace) {
        int slot = (int) (workspace * GOLDEN_RATIO >>> (Long.SIZE - Integer.numberOfTrailingZeros(workspaces.length)));
        while (rows[slot] != null && workspaces[slot] != workspace) {
            slot = slot + 1 & workspaces.length - 1;
        }
        return slot;
    }

    private long[] row(int slot) {
        long[] row = rows[slot];
        if (row == null) {
            throw new IllegalStateException("a slot without a row: slot=" + slot);
        }
        return row;
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
