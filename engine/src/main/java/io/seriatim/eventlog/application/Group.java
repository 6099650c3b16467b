package io.seriatim.eventlog.application;

import io.seriatim.eventlog.SealedTransaction;
import io.seriatim.eventlog.application.CheckedCommand.Wanted;
import io.seriatim.store.LogEvent;
import io.seriatim.store.PartitionStore;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/** Commands that go into the log with one append, all or none. */
final class Group {

    static final int MOST = 256;
    private static final int MOST_BYTES = 4 << 20;

    /** A command and who waits for its answer. */
    record Waiting(CheckedCommand checked, CompletableFuture<Appended> answer) {}

    /** A command that has its numbers. */
    record Member(Waiting waiting, Draft draft) {

        LogEvent event() {
            return draft.event();
        }

        Appended appended(int partition) {
            return new Appended(partition, event().offset(), draft.body().wlogOffset(), draft.ids());
        }
    }

    /** A record or a key that a later command may ask for. */
    private record Named(long workspace, Object name) {}

    private final Draft.Time time;
    private final List<Member> members = new ArrayList<>();
    private final Set<Named> named = new HashSet<>();
    private long epoch;
    private int bytes;
    private SealedTransaction last;

    @SuppressWarnings("NullAway.Init") // there is no last one before the first
    Group(Draft.Time time) {
        this.time = time;
    }

    Draft.Time time() {
        return time;
    }

    boolean isEmpty() {
        return members.isEmpty();
    }

    int size() {
        return members.size();
    }

    boolean isFull() {
        return members.size() == MOST || bytes >= MOST_BYTES;
    }

    List<Member> members() {
        return members;
    }

    /** Whose commands these are; from any thread. */
    synchronized List<Waiting> waiting() {
        return members.stream().map(Member::waiting).toList();
    }

    List<LogEvent> events() {
        return members.stream().map(Member::event).toList();
    }

    long epoch() {
        return epoch;
    }

    long firstOffset() {
        return members.get(0).event().offset();
    }

    long lastOffset() {
        return members.get(members.size() - 1).event().offset();
    }

    SealedTransaction last() {
        return last;
    }

    void add(Member member, long itsEpoch, SealedTransaction sealed) {
        synchronized (this) {
            members.add(member);
        }
        epoch = itsEpoch;
        last = sealed;
        bytes += member.event().body().length;
        Command command = member.waiting().checked().command();
        long workspace = command.workspace();
        if (!command.key().isEmpty()) {
            named.add(new Named(workspace, command.key()));
        }
        for (Wanted wanted : member.waiting().checked().created()) {
            long id = wanted.record().id();
            named.add(new Named(workspace, member.draft().ids().getOrDefault(id, id)));
        }
        member.waiting().checked().updates().forEach(update -> named.add(new Named(workspace, update.id())));
    }

    /** Whether a command asks for something that one of these does: then it must wait until that is applied. */
    boolean meets(CheckedCommand checked) {
        if (isEmpty()) {
            return false;
        }
        Command command = checked.command();
        long workspace = command.workspace();
        if (!command.key().isEmpty() && named.contains(new Named(workspace, command.key()))) {
            return true;
        }
        for (RecordUpdate update : checked.updates()) {
            if (named.contains(new Named(workspace, update.id()))) {
                return true;
            }
        }
        for (Wanted wanted : checked.created()) {
            long id = wanted.wantedId();
            if (id > Schema.MAX_RAW_ID && named.contains(new Named(workspace, id))) {
                return true;
            }
        }
        return false;
    }

    /**
     * The events that are in the log where those of this group belong, by offset.
     *
     * @throws io.seriatim.store.StoreException if it cannot be read
     */
    Map<Long, LogEvent> readFrom(PartitionStore store) {
        Map<Long, LogEvent> there = new HashMap<>();
        long from = firstOffset();
        while (from <= lastOffset()) {
            List<LogEvent> page = store.events(from, (int) (lastOffset() - from + 1));
            if (page.isEmpty()) {
                break;
            }
            page.forEach(each -> there.put(each.offset(), each));
            from = page.get(page.size() - 1).offset() + 1;
        }
        return there;
    }
}
