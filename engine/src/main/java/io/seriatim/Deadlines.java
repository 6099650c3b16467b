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

    Deadlines(Environment environment) {
        this.environment = environment;
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
        Set<ReservationId> present = new HashSet<>();
        for (Account.Open each : open) {
            present.add(each.id());
            endNanos.computeIfAbsent(
                    each.id(), id -> environment.nanoTime() + TimeUnit.SECONDS.toNanos(each.seconds()));
        }
        endNanos.keySet().retainAll(present);
    }
}
