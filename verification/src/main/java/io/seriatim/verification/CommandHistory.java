package io.seriatim.verification;

import io.seriatim.verification.LogClient.Outcome.Appended;
import io.seriatim.verification.LogClient.Page;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import tools.jackson.databind.JsonNode;

/** What clients were told of their commands, and whether a log agrees with it and with itself. */
final class CommandHistory {

    private static final long FIRST_RECORD_ID = 200_001;

    private final Map<String, Boolean> keyed = new ConcurrentHashMap<>();
    private final Map<String, Told> told = new ConcurrentHashMap<>();
    private final Set<String> unknown = ConcurrentHashMap.newKeySet();
    private final Queue<String> violations = new ConcurrentLinkedQueue<>();
    private final Semaphore answers = new Semaphore(0);

    private record Told(long workspace, Appended answer) {}

    void sent(String name, boolean withKey) {
        keyed.put(name, withKey);
    }

    void appended(String name, long workspace, Appended answer) {
        told.put(name, new Told(workspace, answer));
        answers.release();
    }

    /** Waits until so many commands were acknowledged; once. */
    void awaitAcknowledged(int count, Duration wait) throws InterruptedException {
        if (!answers.tryAcquire(count, wait.toMillis(), TimeUnit.MILLISECONDS)) {
            violation("only " + told.size() + " commands were acknowledged");
        }
    }

    void unknown(String name) {
        unknown.add(name);
    }

    void violation(String what) {
        violations.add(what);
    }

    /**
     * What came of a loop.
     *
     * @param acknowledged commands that were told where their event is
     * @param unknowns commands that nobody knows of, and which have no key
     * @param landed those of them that are in the log
     */
    record Result(
            int kills,
            int events,
            int acknowledged,
            int unknowns,
            int landed,
            int records,
            List<Long> lastOffsets,
            List<String> violations) {}

    Result check(LogClient client, int kills) throws IOException, InterruptedException {
        Reading reading = new Reading(client);
        for (int partition = 0; partition < LogClient.PARTITIONS; partition++) {
            reading.partition(partition);
        }
        reading.everyCommand();
        reading.everyWorkspace();
        reading.everyRecord();
        return new Result(
                kills,
                reading.names.size(),
                told.size(),
                unknown.size(),
                (int) unknown.stream().filter(reading.names::containsKey).count(),
                reading.records.values().stream().mapToInt(Map::size).sum(),
                reading.lastOffsets,
                new ArrayList<>(violations));
    }

    /** The log as it is, and what follows from it. */
    private final class Reading {

        private final LogClient client;
        private final List<Long> lastOffsets = new ArrayList<>();
        private final Map<String, JsonNode> names = new HashMap<>();
        private final Map<Long, List<JsonNode>> workspaces = new TreeMap<>();
        private final Map<Long, Set<Long>> ids = new HashMap<>();
        /** By workspace and id, the fields that a record has after all events. */
        private final Map<Long, Map<Long, Map<String, JsonNode>>> records = new TreeMap<>();

        Reading(LogClient client) {
            this.client = client;
        }

        void partition(int partition) throws IOException, InterruptedException {
            long next = 1;
            for (Page page = client.events(partition, next);
                    !page.events().isEmpty();
                    page = client.events(partition, next)) {
                for (JsonNode event : page.events()) {
                    require(
                            event.path("plogOffset").asLong() == next,
                            "partition " + partition + " has no event at offset " + next + " but " + event);
                    next++;
                    see(event);
                }
            }
            lastOffsets.add(next - 1);
            JsonNode report = client.check(partition);
            require(report.path("findings").isEmpty(), "partition " + partition + " is not sound: " + report);
        }

        private void see(JsonNode event) {
            long workspace = event.path("workspace").asLong();
            List<JsonNode> its = workspaces.computeIfAbsent(workspace, each -> new ArrayList<>());
            its.add(event);
            require(
                    event.path("wlogOffset").asLong() == its.size(),
                    "WLog offset " + its.size() + " of workspace " + workspace + " is not " + event);
            JsonNode order = event.path("argument");
            String name = order.path("fields").path("name").asString("");
            require(names.put(name, event) == null, "command " + name + " is in the log twice");
            created(workspace, order);
            order.path("children").path("items").valueStream().forEach(item -> created(workspace, item));
            for (JsonNode cud : event.path("cuds")) {
                if (!cud.path("update").asBoolean(false)) {
                    created(workspace, cud);
                }
                Map<String, JsonNode> fields = records.computeIfAbsent(workspace, each -> new TreeMap<>())
                        .computeIfAbsent(cud.path("id").asLong(), each -> new TreeMap<>());
                cud.path("fields").properties().forEach(field -> fields.put(field.getKey(), field.getValue()));
            }
        }

        private void created(long workspace, JsonNode record) {
            long id = record.path("id").asLong();
            Set<Long> its = ids.computeIfAbsent(workspace, each -> new HashSet<>());
            require(its.add(id), "id " + id + " is there twice in workspace " + workspace);
            require(
                    id == FIRST_RECORD_ID + its.size() - 1,
                    "id " + id + " of workspace " + workspace + " is not the next, "
                            + (FIRST_RECORD_ID + its.size() - 1));
        }

        /** Who was told that his event is there finds it there, with what he said; keys have had their answer. */
        void everyCommand() {
            told.forEach((name, its) -> {
                JsonNode event = names.get(name);
                if (event == null) {
                    violation("command " + name + " was acknowledged and is not in the log: " + its);
                    return;
                }
                Appended answer = its.answer();
                require(
                        event.path("plogOffset").asLong() == answer.plogOffset()
                                && event.path("wlogOffset").asLong() == answer.wlogOffset()
                                && event.path("workspace").asLong() == its.workspace()
                                && idsOf(event).equals(List.copyOf(answer.ids().values())),
                        "command " + name + " was told " + answer + ", and is " + event);
            });
            for (String name : names.keySet()) {
                require(
                        keyed.containsKey(name) && (told.containsKey(name) || unknown.contains(name)),
                        "command " + name + " is in the log, and its client was told that nothing happened");
            }
        }

        /** In the order in which they were drawn, which is that of the raw ids here. */
        private static List<Long> idsOf(JsonNode event) {
            List<Long> drawn = new ArrayList<>();
            drawn.add(event.path("argument").path("id").asLong());
            event.path("argument")
                    .path("children")
                    .path("items")
                    .valueStream()
                    .forEach(item -> drawn.add(item.path("id").asLong()));
            for (JsonNode cud : event.path("cuds")) {
                if (!cud.path("update").asBoolean(false)) {
                    drawn.add(cud.path("id").asLong());
                }
            }
            return drawn;
        }

        void everyWorkspace() throws IOException, InterruptedException {
            for (Map.Entry<Long, List<JsonNode>> each : workspaces.entrySet()) {
                List<JsonNode> shown = new ArrayList<>();
                Page page;
                do {
                    page = client.workspaceEvents(each.getKey(), shown.size() + 1L);
                    shown.addAll(page.events());
                } while (!page.events().isEmpty());
                require(
                        shown.equals(each.getValue()),
                        "workspace " + each.getKey() + " shows " + shown.size() + " events, the log has "
                                + each.getValue().size());
            }
        }

        void everyRecord() throws IOException, InterruptedException {
            for (Map.Entry<Long, Map<Long, Map<String, JsonNode>>> workspace : records.entrySet()) {
                for (Map.Entry<Long, Map<String, JsonNode>> each :
                        workspace.getValue().entrySet()) {
                    Map<String, JsonNode> shown = new TreeMap<>();
                    client.record(workspace.getKey(), each.getKey())
                            .path("fields")
                            .properties()
                            .forEach(field -> shown.put(field.getKey(), field.getValue()));
                    require(
                            shown.equals(each.getValue()),
                            "record " + each.getKey() + " of workspace " + workspace.getKey() + " is " + shown
                                    + ", its events say " + each.getValue());
                }
            }
        }

        private void require(boolean holds, String what) {
            if (!holds) {
                violation(what);
            }
        }
    }
}
