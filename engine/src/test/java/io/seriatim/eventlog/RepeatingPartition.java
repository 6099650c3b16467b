package io.seriatim.eventlog;

import io.seriatim.store.LogEvent;
import io.seriatim.store.PartitionStore;
import java.util.ArrayList;
import java.util.List;

/** A partition whose reads show the last event of every page once more, also when they were asked for what comes behind. */
final class RepeatingPartition extends ForwardingPartition {

    RepeatingPartition(PartitionStore sound) {
        super(sound);
    }

    @Override
    public List<LogEvent> events(long fromOffset, int limit) {
        List<LogEvent> shown = new ArrayList<>(store.events(Math.max(1, fromOffset - 1), limit));
        shown.add(shown.get(shown.size() - 1));
        return shown;
    }
}
