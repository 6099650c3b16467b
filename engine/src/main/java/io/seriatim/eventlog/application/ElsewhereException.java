package io.seriatim.eventlog.application;

import io.seriatim.ErrorCode;
import io.seriatim.eventlog.EventLogException;
import java.util.Optional;

/** A partition does not run in this process, and nothing has happened: RECOVERING, may be retried, or sent to its owner. */
public final class ElsewhereException extends EventLogException {

    private static final long serialVersionUID = 1;

    private final transient Optional<ClusterState.Node> owner;

    ElsewhereException(int partition, Optional<ClusterState.Node> owner) {
        super(
                ErrorCode.RECOVERING,
                "partition " + partition
                        + owner.map(node -> " is at node " + node.name()).orElse(" has no owner yet"));
        this.owner = owner;
    }

    /** The node that has it, another one than this; empty where none is known. */
    public Optional<ClusterState.Node> owner() {
        return owner;
    }
}
