package io.seriatim.eventlog.application;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What a caller wants to happen in a workspace; it becomes one event. Has an argument, or CUDs, or both.
 *
 * @param kind name of the kind that the workspace is of; the first event binds it
 * @param workspace any number
 * @param key idempotency key, unique in the workspace; empty for none
 */
public record Command(String kind, long workspace, Optional<NewRecord> argument, List<Cud> cuds, String key) {

    public Command {
        cuds = List.copyOf(cuds);
    }

    /** A command that says nothing yet. */
    public static Command in(String kind, long workspace) {
        return new Command(kind, workspace, Optional.empty(), List.of(), "");
    }

    /** The same with an argument: an ODoc with its ORecords. */
    public Command argument(NewRecord root) {
        return new Command(kind, workspace, Optional.of(root), cuds, key);
    }

    /** The same with one more record to create, behind the others. */
    public Command create(NewRecord record) {
        return and(record);
    }

    /** The same with one more record to update, behind the others. */
    public Command update(RecordUpdate update) {
        return and(update);
    }

    private Command and(Cud cud) {
        List<Cud> more = new ArrayList<>(cuds);
        more.add(cud);
        return new Command(kind, workspace, argument, more, key);
    }

    /**
     * The same under an idempotency key: sent again, however often and whenever, it is one event with one answer.
     *
     * @param key from 1 to 200 visible ASCII characters
     */
    public Command key(String key) {
        return new Command(kind, workspace, argument, cuds, key);
    }
}
