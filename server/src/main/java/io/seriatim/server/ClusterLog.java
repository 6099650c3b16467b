package io.seriatim.server;

import io.seriatim.eventlog.application.ClusterEvent;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;

/** Writes into the log of a server what becomes of the nodes and partitions of its store: a line each. */
final class ClusterLog implements Consumer<ClusterEvent> {

    private static final Logger LOG = LoggerFactory.getLogger(ClusterLog.class);

    private final String node;

    /** @param node this one */
    ClusterLog(String node) {
        this.node = node;
    }

    @Override
    public void accept(ClusterEvent event) {
        if (event instanceof ClusterEvent.Joined joined) {
            other(joined.node(), joined.url()).log("another node lives");
        } else if (event instanceof ClusterEvent.Left left) {
            other(left.node(), left.url()).log("another node has ended");
        } else if (event instanceof ClusterEvent.Died died) {
            LOG.atWarn()
                    .addKeyValue("node", died.node())
                    .addKeyValue("url", died.url())
                    .addKeyValue("leaseMillis", died.lease().toMillis())
                    .log("another node is dead: no sign of life for its lease, its partitions are taken");
        } else if (event instanceof ClusterEvent.SameUrl same) {
            LOG.atError()
                    .addKeyValue("node", same.node())
                    .addKeyValue("url", same.url())
                    .log("another node lives that says it is called where this one is: calls of its partitions are"
                            + " refused until each has its own --advertise-url");
        } else if (event instanceof ClusterEvent.Opened opened) {
            opened(opened);
        } else if (event instanceof ClusterEvent.HandedOver handed) {
            partition(LOG.atInfo(), handed.application(), handed.partition(), handed.epoch())
                    .addKeyValue("to", handed.to())
                    .log("a partition was handed over");
        } else if (event instanceof ClusterEvent.Lost lost) {
            partition(LOG.atWarn(), lost.application(), lost.partition(), lost.epoch())
                    .addKeyValue("to", lost.to())
                    .log("a partition was lost to another owner; what was written here since was refused");
        } else if (event instanceof ClusterEvent.Paused paused) {
            LOG.atWarn()
                    .addKeyValue("node", node)
                    .addKeyValue("silenceMillis", paused.silence().toMillis())
                    .addKeyValue("leaseMillis", paused.lease().toMillis())
                    .log("this node stood still, or the store did: others may have taken its partitions");
        } else if (event instanceof ClusterEvent.Troubled troubled) {
            LOG.atWarn().addKeyValue("node", node).log(troubled.what());
        } else if (event instanceof ClusterEvent.Recovered) {
            LOG.atInfo().addKeyValue("node", node).log("this node sees the others again");
        }
    }

    /** Processes that serve nobody come with each command. */
    private static LoggingEventBuilder other(String node, String url) {
        LoggingEventBuilder line = url.isEmpty() ? LOG.atDebug() : LOG.atInfo();
        return line.addKeyValue("node", node).addKeyValue("url", url);
    }

    private void opened(ClusterEvent.Opened opened) {
        LoggingEventBuilder line = partition(LOG.atInfo(), opened.application(), opened.partition(), opened.epoch());
        if (opened.deadOwner().isPresent()) {
            line.addKeyValue("from", opened.deadOwner().get()).log("a partition was taken over from a dead node");
        } else {
            line.log("a partition runs here");
        }
    }

    private LoggingEventBuilder partition(LoggingEventBuilder line, String log, int partition, long epoch) {
        return line.addKeyValue("node", node)
                .addKeyValue("log", log)
                .addKeyValue("partition", partition)
                .addKeyValue("epoch", epoch);
    }
}
