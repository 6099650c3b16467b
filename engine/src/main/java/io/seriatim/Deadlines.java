package io.seriatim;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * When open reservations expire, by the clock of this process that never goes back: so long after it first saw each. So
 * one expires late where a process has begun to look late, and never early, whatever the wall clocks say. Safe for use
 * by many threads.
 */
final class Deadlines {

    private final Environment environment;
    private final Map<ReservationId, Long> endNanos = new HashMap<>();
    /** The list, never changed, whose reservations are the ones in {@code endNanos}. */
    private List<Account.Open> seen = List.of();

    Deadlines(Environment environment) {
        this.environment = environment;
    }

    /** The time of the open reservations of an account runs from now on, where it does not run already. */
    synchronized void see(Account account) {
        see(account.open());
    }

    /** Those of an account that are over. */
    synchronized Set<ReservationId> due(Account account) {
        see(account.open());
        long now = environment.nanoTime();
        Set<ReservationId> due = new HashSet<>();
        endNanos.forEach((id, end) -> {
            if (end - now <= 0) {
                due.add(id);
            }
        });
        return due;
    }

    /** How long it is until the next is over, at least 0; nothing where none is open. */
    synchronized OptionalLong nanosToNext(Account account) {
        see(account.open());
        long now = environment.nanoTime();
        return endNanos.values().stream()
                .mapToLong(end -> Math.max(0, end - now))
                .min();
    }

    private void see(List<Account.Open> open) {
        if (isSame(open, seen)) {
            return;
        }
        seen = open;
        Set<ReservationId> present = new HashSet<>();
        for (Account.Open each : open) {
            present.add(each.id());
            endNanos.computeIfAbsent(
                    each.id(), id -> environment.nanoTime() + TimeUnit.SECONDS.toNanos(each.seconds()));
        }
        endNanos.keySet().retainAll(present);
    }

    /** Only a shortcut: lists of an account are passed on as long as nothing in them changes. */
    @SuppressWarnings("ReferenceEquality")
    private static boolean isSame(List<Account.Open> one, List<Account.Open> other) {
        return one == other;
    }
}
