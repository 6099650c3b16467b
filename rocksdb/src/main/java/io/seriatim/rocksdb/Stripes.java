package io.seriatim.rocksdb;

import java.util.Arrays;
import java.util.Collection;
import java.util.concurrent.locks.ReentrantLock;

/** Keeps the writers of one row one behind another, from their look at it until their write is durable. */
final class Stripes {

    /*
     * A row belongs to the stripe that the hash of its key picks. A write takes the stripes of all its rows in
     * rising order, so two writes never wait for each other in a circle. Rows that share a stripe by chance
     * only cost time: their writes cannot share a sync. 1,024 stripes make that rare with some dozens of
     * writers, and cost 50 KiB.
     */

    private static final int COUNT = 1_024;

    private final ReentrantLock[] locks = new ReentrantLock[COUNT];

    Stripes() {
        Arrays.setAll(locks, i -> new ReentrantLock());
    }

    /** Takes the stripes of the keys and returns them for {@link #unlock}. Not broken off by an interrupt. */
    int[] lock(Collection<byte[]> keys) {
        int[] stripes =
                keys.stream().mapToInt(Stripes::stripeOf).sorted().distinct().toArray();
        for (int stripe : stripes) {
            locks[stripe].lock();
        }
        return stripes;
    }

    void unlock(int[] stripes) {
        for (int stripe : stripes) {
            locks[stripe].unlock();
        }
    }

    private static int stripeOf(byte[] key) {
        int hash = Arrays.hashCode(key) * 0x9E3779B9;
        return hash >>> (Integer.SIZE - Integer.numberOfTrailingZeros(COUNT));
    }
}
