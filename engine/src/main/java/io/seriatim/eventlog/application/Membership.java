package io.seriatim.eventlog.application;

import io.seriatim.Environment;
import io.seriatim.eventlog.application.FailureDetector.Nodes;
import io.seriatim.store.ClusterStore;
import io.seriatim.store.LeaseRow;
import io.seriatim.store.NodeRow;
import io.seriatim.store.PartitionKey;
import io.seriatim.store.StoreException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * This process as one of several on a store: says that it lives, sees who else does, and decides which partitions run
 * here.
 *
 * <p>Safe for use by many threads.
 */
final class Membership {

    /*
     * Three things are kept apart.
     *
     *   Who lives      Each node raises a number in its row, its beat, at least once a second; FailureDetector has what follows.
     *   Who is to have a partition   A row for each, written over the revision that was read. One write of a node's row
     *                  renews all its leases.
     *   Who may write  The epoch of the partition, which the owner raises when it opens it. A node that was stopped for
     *                  longer than its lease and goes on still takes itself for the owner: the store refuses each of its
     *                  writes, and with its next look it gives the partition up. So whatever goes wrong here costs time,
     *                  never an event.
     *
     * Nor does a lease decide what readers see: an owner asks the store after each read whether the epoch is still its own.
     * A node takes and opens partitions only while its last sign of life is so young that nobody can have taken it for
     * dead (isSure): it would pass over the right owner.
     *
     * A beat and a look are separate chains of tasks, so that a partition which takes long to close does not cost the node
     * its life. A look reads first and acts then; one look is under way at a time. What runs here follows the rows: a
     * partition is opened when the row names this node, and closed when it does not. It is handed over by closing it first
     * and freeing the row then, so that the next owner finds everything stored.
     *
     * Who takes a partition looks for what is deployed after it has read that the partition is free. The owner before had
     * seen no newer definition when it freed it, so no event is older than the definition by which it is read.
     */

    /** So often it is looked what is deployed, at least. */
    private static final Duration LONGEST_REFRESH = Duration.ofSeconds(1);

    private static final Duration LONGEST_LOOK = Duration.ofMillis(100);

    private static final int LOOKS_IN_LEASE = 20;
    /** What two clocks may differ in their pace while one lease passes: a tenth of it. */
    private static final int SURE_TENTHS = 9;

    private final ClusterStore store;
    private final ClusterMember self;
    private final Environment environment;
    private final Hosting hosting;
    private final ClusterNews news;
    private final Duration betweenBeats;
    private final Duration betweenLooks;

    /** Held while this node's row is written, so that none comes after it is removed. */
    private final ReentrantLock beating = new ReentrantLock();
    /** Guarded by {@code beating}. */
    private long beat;

    private volatile boolean left;
    private volatile long lastBeatNanos;

    /** Held during a look. */
    private final ReentrantLock looking = new ReentrantLock();
    /** Guarded by {@code looking}. */
    private final FailureDetector detector;
    /** When it was last looked what is deployed. Guarded by {@code looking}. */
    private long refreshedNanos;
    /** When the present look began; of who looks. */
    private long lookBeganNanos;

    private final AtomicLong taken = new AtomicLong();
    private final AtomicLong takenFromDead = new AtomicLong();
    private final AtomicLong lost = new AtomicLong();
    /** Those who wait for a look that begins after they have asked, if any do. */
    private final AtomicReference<@Nullable CompletableFuture<Void>> asked = new AtomicReference<>();

    private volatile Optional<String> beatTrouble = Optional.empty();
    private volatile Optional<String> lookTrouble = Optional.empty();
    private volatile ClusterState state;

    private Membership(
            ClusterStore store,
            ClusterMember self,
            Environment environment,
            Hosting hosting,
            Consumer<ClusterEvent> listener) {
        this.store = store;
        this.self = self;
        this.environment = environment;
        this.hosting = hosting;
        news = new ClusterNews(self, listener);
        betweenBeats = FailureDetector.betweenBeats(self.lease());
        Duration part = self.lease().dividedBy(LOOKS_IN_LEASE);
        betweenLooks = part.compareTo(LONGEST_LOOK) < 0 ? part : LONGEST_LOOK;
        detector = new FailureDetector(self);
        state = new ClusterState(self.node(), List.of(), List.of(), 0, 0, 0, Optional.empty());
    }

    /**
     * Joins the others; partitions are opened by the first look, which is over on return.
     *
     * @throws StoreException if this node's row cannot be written
     */
    static Membership join(
            ClusterStore store,
            ClusterMember self,
            Environment environment,
            Hosting hosting,
            Consumer<ClusterEvent> listener) {
        Membership membership = new Membership(store, self, environment, hosting, listener);
        membership.sign();
        environment.after(membership.betweenBeats, membership::beat);
        membership.refreshedNanos = environment.nanoTime() - LONGEST_REFRESH.toNanos();
        membership.look();
        environment.after(membership.betweenLooks, membership::lookAgain);
        return membership;
    }

    ClusterState state() {
        return state;
    }

    /** Whether no other node can have taken this one for dead when this is asked. */
    boolean isSure() {
        long age = environment.nanoTime() - lastBeatNanos;
        return !left && age < sureNanos();
    }

    private long sureNanos() {
        return self.lease().toNanos() / 10 * SURE_TENTHS;
    }

    // ---- signs of life

    @SuppressWarnings("CatchingUnchecked") // whatever it is, the next sign must be given
    private void beat() {
        if (left) {
            return;
        }
        try {
            sign();
            beatTrouble = Optional.empty();
        } catch (RuntimeException | Error e) {
            beatTrouble = Optional.of("no sign of life could be given: " + e.getMessage());
        }
        news.trouble(trouble());
        environment.after(betweenBeats, this::beat);
    }

    private Optional<String> trouble() {
        return lookTrouble.or(() -> beatTrouble);
    }

    private void sign() {
        beating.lock();
        try {
            if (left) {
                return;
            }
            long before = environment.nanoTime(); // others see the row later than this
            boolean isFirst = beat == 0;
            store.write(new NodeRow(self.node(), self.url(), ++beat, self.lease()));
            long silenceNanos = before - lastBeatNanos;
            lastBeatNanos = before;
            if (!isFirst && silenceNanos >= sureNanos()) {
                news.tell(new ClusterEvent.Paused(Duration.ofNanos(silenceNanos), self.lease()));
            }
        } finally {
            beating.unlock();
        }
    }

    // ---- looks

    private void lookAgain() {
        if (left) {
            return;
        }
        look();
        environment.after(betweenLooks, this::lookAgain);
    }

    /**
     * Lets the next look see what is deployed, and is done when that look is over, or has failed. However many ask, it is
     * looked no more often than otherwise.
     */
    CompletableFuture<Void> nextLook() {
        CompletableFuture<Void> mine = new CompletableFuture<>();
        CompletableFuture<Void> there = asked.compareAndExchange(null, mine);
        if (there == null && left) {
            mine.complete(null); // nobody looks any more
        }
        return there == null ? mine : there;
    }

    /** Looks now; returns at once if somebody is looking. Never throws. */
    @SuppressWarnings("CatchingUnchecked") // whatever it is, the next look must come
    void look() {
        if (!looking.tryLock()) {
            return;
        }
        CompletableFuture<Void> waiting = asked.getAndSet(null);
        try {
            if (!left) {
                lookAndAct(waiting != null);
                lookTrouble = Optional.empty();
            }
        } catch (RuntimeException | Error e) {
            lookTrouble = Optional.of("the other nodes could not be looked at: " + e.getMessage());
            state = withTrouble(state);
        } finally {
            news.trouble(trouble());
            looking.unlock();
            if (waiting != null) {
                answer(waiting);
            }
        }
    }

    private void answer(CompletableFuture<Void> waiting) {
        Optional<String> why = lookTrouble;
        if (why.isPresent()) {
            waiting.completeExceptionally(new StoreException(StoreException.Kind.UNAVAILABLE, why.get()));
        } else {
            waiting.complete(null);
        }
    }

    private ClusterState withTrouble(ClusterState shown) {
        return new ClusterState(
                shown.node(),
                shown.nodes(),
                shown.partitions(),
                taken.get(),
                takenFromDead.get(),
                lost.get(),
                trouble());
    }

    private void lookAndAct(boolean isAsked) {
        long before = environment.nanoTime();
        lookBeganNanos = before;
        ClusterStore.Rows rows = store.read();
        Map<PartitionKey, LeaseRow> leases = new HashMap<>();
        rows.leases().forEach(lease -> leases.put(lease.key(), lease));
        Nodes nodes = detector.look(rows, before, environment.nanoTime());
        news.nodes(rows.nodes(), nodes);
        closeLost(leases);
        refresh(leases, isAsked);
        Map<PartitionKey, String> owners = new HashMap<>();
        leases.forEach((key, lease) -> {
            if (nodes.lives(lease.owner())) {
                owners.put(key, lease.owner());
            }
        });
        List<PartitionKey> partitions = hosting.partitions();
        Map<PartitionKey, String> wanted = Assignment.of(partitions, eligible(rows, nodes, owners), owners);
        for (PartitionKey key : partitions) {
            settle(key, wanted.get(key), leases, nodes);
        }
        freeUndeployed(leases, partitions, nodes);
        removeDead(rows, leases, nodes);
        show(rows, leases, nodes, partitions);
    }

    /**
     * Those that may have partitions: servers, and where none lives, whoever is there. A row that was never seen to change
     * may be of the dead: until then its node keeps what it has and is given nothing.
     */
    private Set<String> eligible(ClusterStore.Rows rows, Nodes nodes, Map<PartitionKey, String> owners) {
        Set<String> servers = new HashSet<>();
        Set<String> others = new HashSet<>();
        boolean mayBeServed = false;
        for (NodeRow row : rows.nodes()) {
            String node = row.node();
            if (!nodes.isShownAlive(node)) {
                continue;
            }
            boolean isServer = !row.url().isEmpty();
            mayBeServed |= isServer;
            if (node.equals(self.node())
                    || owners.containsValue(node)
                    || nodes.proven().contains(node)) {
                (isServer ? servers : others).add(node);
            }
        }
        if (!servers.isEmpty()) {
            return servers;
        }
        if (mayBeServed) {
            others.retainAll(owners.values()); // they keep what they have until it is certain
        }
        return others;
    }

    private boolean isMine(PartitionKey key, Map<PartitionKey, LeaseRow> leases) {
        LeaseRow lease = leases.get(key);
        return lease != null && lease.owner().equals(self.node());
    }

    /** What another node has taken meanwhile. */
    private void closeLost(Map<PartitionKey, LeaseRow> leases) {
        for (PartitionKey key : hosting.running()) {
            if (!isMine(key, leases)) {
                lost.incrementAndGet();
                long epoch = epoch(key);
                hosting.close(key);
                news.tell(new ClusterEvent.Lost(hosting.name(key), key.partition(), epoch, owner(key, leases)));
            }
        }
    }

    /** Now and then, when asked, before anything is opened, and where another node has what is not known here. */
    private void refresh(Map<PartitionKey, LeaseRow> leases, boolean isAsked) {
        long now = environment.nanoTime();
        Set<PartitionKey> known = new HashSet<>(hosting.partitions());
        boolean isNew =
                leases.values().stream().anyMatch(lease -> !lease.owner().isEmpty() && !known.contains(lease.key()));
        boolean isDue = isAsked || isNew || now - refreshedNanos >= LONGEST_REFRESH.toNanos();
        boolean opens = hosting.partitions().stream()
                .anyMatch(key -> !hosting.running().contains(key)
                        && (isMine(key, leases) || owner(key, leases).isEmpty()));
        if (isDue || opens) {
            hosting.refresh();
            refreshedNanos = now;
        }
    }

    private static String owner(PartitionKey key, Map<PartitionKey, LeaseRow> leases) {
        LeaseRow lease = leases.get(key);
        return lease == null ? "" : lease.owner();
    }

    private void settle(PartitionKey key, @Nullable String wanted, Map<PartitionKey, LeaseRow> leases, Nodes nodes) {
        boolean isForMe = self.node().equals(wanted);
        if (isMine(key, leases)) {
            if (isForMe) {
                run(key, leases);
            } else {
                long epoch = epoch(key);
                handOver(key, leases);
                news.tell(new ClusterEvent.HandedOver(
                        hosting.name(key), key.partition(), epoch, wanted == null ? "" : wanted));
            }
        } else if (isForMe && isSure()) {
            String owner = owner(key, leases);
            if (owner.isEmpty() || !nodes.lives(owner)) {
                take(key, leases, !owner.isEmpty());
            }
        }
    }

    private void take(PartitionKey key, Map<PartitionKey, LeaseRow> leases, boolean fromDead) {
        LeaseRow before = leases.get(key);
        LeaseRow wanted = new LeaseRow(
                key, self.node(), before == null ? 0 : before.epoch(), before == null ? 1 : before.revision() + 1);
        if (store.write(wanted) != ClusterStore.Outcome.APPLIED) {
            return; // the next look shows whose it is
        }
        leases.put(key, wanted);
        taken.incrementAndGet();
        if (fromDead) {
            takenFromDead.incrementAndGet();
            hosting.refresh(); // its owner may have deployed after this look began
        }
        news.taken(key, fromDead ? Optional.ofNullable(before).map(LeaseRow::owner) : Optional.empty());
        open(key);
    }

    /** Where this has stood still since the look began, others may have the partition by now; the next look shows. */
    private void open(PartitionKey key) {
        if (isSure() && environment.nanoTime() - lookBeganNanos < sureNanos()) {
            hosting.open(key);
        }
    }

    private long epoch(PartitionKey key) {
        return hosting.state(key).map(each -> each.sequencer().epoch()).orElse(0L);
    }

    private void run(PartitionKey key, Map<PartitionKey, LeaseRow> leases) {
        if (!hosting.running().contains(key)) {
            open(key);
            return;
        }
        Optional<PartitionState> present = hosting.state(key);
        if (present.isPresent() && present.get().status() == PartitionStatus.FENCED) {
            lost.incrementAndGet(); // by somebody who has no lease
            long old = epoch(key);
            hosting.close(key);
            news.tell(new ClusterEvent.Lost(hosting.name(key), key.partition(), old, ""));
            open(key);
            return;
        }
        long epoch = present.map(each -> each.sequencer().epoch()).orElse(0L);
        LeaseRow lease = leases.get(key);
        if (lease != null
                && epoch > lease.epoch()
                && write(new LeaseRow(key, self.node(), epoch, lease.revision() + 1), leases)) {
            news.opened(key, hosting.name(key), epoch);
        }
    }

    private void handOver(PartitionKey key, Map<PartitionKey, LeaseRow> leases) {
        hosting.close(key);
        free(key, leases);
    }

    private void free(PartitionKey key, Map<PartitionKey, LeaseRow> leases) {
        LeaseRow lease = leases.get(key);
        if (lease != null) {
            boolean unused = write(new LeaseRow(key, "", lease.epoch(), lease.revision() + 1), leases);
        }
    }

    private boolean write(LeaseRow lease, Map<PartitionKey, LeaseRow> leases) {
        boolean isApplied = store.write(lease) == ClusterStore.Outcome.APPLIED;
        if (isApplied) {
            leases.put(lease.key(), lease);
        }
        return isApplied;
    }

    /** What this node has, or a dead one, of applications that are deployed no more. */
    private void freeUndeployed(Map<PartitionKey, LeaseRow> leases, List<PartitionKey> partitions, Nodes nodes) {
        Set<PartitionKey> deployed = new HashSet<>(partitions);
        for (LeaseRow lease : List.copyOf(leases.values())) {
            if (deployed.contains(lease.key()) || lease.owner().isEmpty()) {
                continue;
            }
            if (lease.owner().equals(self.node())) {
                handOver(lease.key(), leases);
            } else if (!nodes.lives(lease.owner())) {
                free(lease.key(), leases);
            }
        }
    }

    /** Rows of those that have been dead for long and have nothing. One that lives all the same writes its row again. */
    private void removeDead(ClusterStore.Rows rows, Map<PartitionKey, LeaseRow> leases, Nodes nodes) {
        for (NodeRow row : rows.nodes()) {
            boolean hasNothing =
                    leases.values().stream().noneMatch(lease -> lease.owner().equals(row.node()));
            if (hasNothing && nodes.longDead().contains(row.node())) {
                store.remove(row.node(), row.beat());
            }
        }
    }

    private void show(
            ClusterStore.Rows rows, Map<PartitionKey, LeaseRow> leases, Nodes nodes, List<PartitionKey> partitions) {
        Map<String, ClusterState.Node> shown = new TreeMap<>();
        rows.nodes()
                .forEach(row -> shown.put(
                        row.node(), new ClusterState.Node(row.node(), row.url(), nodes.isShownAlive(row.node()))));
        List<ClusterState.Place> places = new ArrayList<>();
        for (PartitionKey key : partitions) {
            LeaseRow lease = leases.get(key);
            Optional<ClusterState.Node> owner = lease == null
                    ? Optional.empty()
                    : Optional.ofNullable(shown.get(lease.owner())).filter(ClusterState.Node::isAlive);
            places.add(new ClusterState.Place(key, owner, lease == null ? 0 : lease.epoch()));
        }
        state = withTrouble(
                new ClusterState(self.node(), List.copyOf(shown.values()), places, 0, 0, 0, Optional.empty()));
    }

    // ---- the end

    /**
     * Leaves the others: stops what runs here and frees it at once for whoever takes it. What cannot be written is left to the
     * lease. May be called twice.
     */
    void leave() {
        beating.lock();
        try {
            if (left) {
                return;
            }
            left = true; // the others must not count on this node when they share what it leaves
            store.remove(self.node(), beat);
        } catch (StoreException e) {
            beatTrouble = Optional.of("the others could not be told of the end: " + e.getMessage());
        } finally {
            beating.unlock();
        }
        CompletableFuture<Void> waiting = asked.getAndSet(null);
        if (waiting != null) {
            waiting.complete(null);
        }
        looking.lock();
        try {
            hosting.closeAll();
            Map<PartitionKey, LeaseRow> leases = new HashMap<>();
            readForTheEnd().forEach(lease -> leases.put(lease.key(), lease));
            Set<PartitionKey> held =
                    Set.copyOf(leases.keySet()); // the last look may have taken some that it did not open
            held.forEach(key -> freeAtTheEnd(key, leases));
        } finally {
            looking.unlock();
        }
    }

    private List<LeaseRow> readForTheEnd() {
        try {
            return store.read().leases();
        } catch (StoreException e) {
            lookTrouble = Optional.of("leases could not be given back: " + e.getMessage());
            return List.of();
        }
    }

    private void freeAtTheEnd(PartitionKey key, Map<PartitionKey, LeaseRow> leases) {
        if (!isMine(key, leases)) {
            return;
        }
        try {
            free(key, leases);
        } catch (StoreException e) {
            lookTrouble = Optional.of("a lease could not be given back: " + e.getMessage());
        }
    }
}
