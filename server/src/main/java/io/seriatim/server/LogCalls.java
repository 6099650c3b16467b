package io.seriatim.server;

import io.seriatim.ErrorCode;
import io.seriatim.RequestKey;
import io.seriatim.eventlog.EventLogException;
import io.seriatim.eventlog.ReplayProgress;
import io.seriatim.eventlog.application.Appended;
import io.seriatim.eventlog.application.Application;
import io.seriatim.eventlog.application.ApplicationDefinition;
import io.seriatim.eventlog.application.Applications;
import io.seriatim.eventlog.application.Command;
import io.seriatim.eventlog.application.ElsewhereException;
import io.seriatim.eventlog.application.Event;
import io.seriatim.eventlog.application.EventPage;
import io.seriatim.eventlog.application.Partition;
import io.seriatim.eventlog.application.PartitionState;
import io.seriatim.eventlog.application.PartitionStatus;
import io.seriatim.eventlog.application.StoredRecord;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;

/** The calls on event logs, as docs/http.md has them. */
final class LogCalls {

    /** How long an operator's act may take before its answer is how far it has come. */
    private static final Duration ACT = Duration.ofSeconds(8);

    /** How long a deployment waits until its logs are read. */
    private static final Duration DEPLOYED = Duration.ofSeconds(1);

    /** Each reads a whole log. */
    private static final int CHECKS = 2;

    /** How long a call waits until it is looked whether another server has deployed what it names. */
    private static final Duration LOOKED = Duration.ofSeconds(2);

    /** So many of those hold a worker while they wait. */
    private static final int LOOKING = Limits.standard().workers() / 4;

    private static final Duration BETWEEN_TRIES = Duration.ofMillis(100);
    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(10);

    private static final String FROM = "from";
    private static final int MAX_LIST = 1_000;
    private static final int LIST = 100;
    private static final int SHOWN_DIFFERENCES = 10;

    private final OpenStore store;
    private final Semaphore checks = new Semaphore(CHECKS);
    private final Semaphore looking = new Semaphore(LOOKING);

    LogCalls(OpenStore store) {
        this.store = store;
    }

    void addTo(Routes routes) {
        routes.add("GET", "/v1/logs", (call, names) -> list(call));
        routes.add("PUT", "/v1/logs/{log}", this::put);
        routes.add("GET", "/v1/logs/{log}", this::get);
        routes.add("DELETE", "/v1/logs/{log}", this::delete);
        routes.addLater("POST", "/v1/logs/{log}/workspaces/{wsid}/events", this::append);
        addAtOwner(routes, "GET", "/v1/logs/{log}/workspaces/{wsid}/events", this::workspaceEvents);
        addAtOwner(routes, "GET", "/v1/logs/{log}/workspaces/{wsid}/records/{id}", this::record);
        addAtOwner(routes, "GET", "/v1/logs/{log}/partitions/{p}", this::partition);
        addAtOwner(routes, "GET", "/v1/logs/{log}/partitions/{p}/events", this::partitionEvents);
        addAtOwner(routes, "POST", "/v1/logs/{log}/partitions/{p}/check", this::check);
        addAtOwner(
                routes,
                "POST",
                "/v1/logs/{log}/partitions/{p}/actualize",
                (call, names) -> act(call, names, Act.ACTUALIZE));
        addAtOwner(
                routes,
                "POST",
                "/v1/logs/{log}/partitions/{p}/rebuild",
                (call, names) -> act(call, names, Act.REBUILD));
    }

    // ---- partitions that run elsewhere

    /** A call on a partition: answered here where it runs here, else by the node that has it. */
    private void addAtOwner(Routes routes, String method, String path, Routes.Handler handler) {
        routes.add(method, path, (call, names) -> atOwner(call, names, handler));
    }

    /**
     * On the command line, patiently: a server that was killed has its partitions until its lease is over. Only what has not
     * begun is begun again.
     */
    private Reply atOwner(Call call, List<String> names, Routes.Handler handler) {
        long deadline = System.nanoTime() + store.patience().toNanos();
        while (true) {
            try {
                return handler.answer(call, names);
            } catch (ElsewhereException elsewhere) {
                try {
                    return forwarding(elsewhere).answer(call, elsewhere);
                } catch (Refusal refusal) {
                    if (!refusal.problem().code().equals(ErrorCode.RECOVERING.name())
                            || System.nanoTime() - deadline >= 0
                            || Thread.currentThread().isInterrupted()) {
                        throw refusal;
                    }
                    LockSupport.parkNanos(BETWEEN_TRIES.toNanos());
                }
            }
        }
    }

    private Forwarding forwarding(ElsewhereException elsewhere) {
        return store.forwarding().orElseThrow(() -> new Refusal(Problem.of(elsewhere)));
    }

    // ---- applications

    private Reply list(Call call) {
        Query query = Query.of(call, "prefix", "after", "limit");
        int limit = Math.toIntExact(query.integer("limit", LIST, 1, MAX_LIST));
        String prefix = query.text("prefix").orElse("");
        String after = query.text("after").orElse("");
        List<Application> found = store.applications().list().stream()
                .filter(each -> each.name().startsWith(prefix) && each.name().compareTo(after) > 0)
                .limit(limit + 1L)
                .toList();
        List<Application> page = found.subList(0, Math.min(limit, found.size()));
        return Reply.json(200, Json.object(out -> {
            out.writeArrayPropertyStart("items");
            for (Application application : page) {
                out.writeStartObject();
                LogJson.write(out, application);
                out.writeEndObject();
            }
            out.writeEndArray();
            if (found.size() > limit) {
                out.writeStringProperty("next", page.get(limit - 1).name());
            } else {
                out.writeNullProperty("next");
            }
        }));
    }

    private Reply put(Call call, List<String> names) {
        Query.of(call);
        ApplicationDefinition definition = LogJson.definition(call.body());
        Applications.Deployment deployment = store.applications().deploy(names.get(0), definition);
        awaitOwners(deployment.application());
        awaitRead(deployment.application());
        return application(deployment.created() ? 201 : 200, deployment.application());
    }

    private Reply get(Call call, List<String> names) {
        Query.of(call);
        return application(200, application(names));
    }

    private static Reply application(int status, Application application) {
        return Reply.json(status, Json.object(out -> LogJson.write(out, application)));
    }

    private Reply delete(Call call, List<String> names) {
        Query.of(call);
        if (!store.applications().undeploy(names.get(0))) {
            throw new Refusal(Problem.notFound("no application of this name is deployed: " + names.get(0)));
        }
        return Reply.noContent(Map.of());
    }

    /** A deployed application, after a look whether another server has just deployed it; may wait. */
    private Application application(List<String> names) {
        Optional<Application> known = store.applications().find(names.get(0));
        if (known.isPresent()) {
            return known.get();
        }
        if (store.forwarding().isPresent()) {
            awaitLook();
        }
        return store.applications().get(names.get(0));
    }

    private void awaitLook() {
        if (!looking.tryAcquire()) {
            throw new Refusal(Problem.busy("too many calls name what this server does not know"));
        }
        try {
            store.applications().lookAgain().get(LOOKED.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException e) {
            throw notLooked();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw notLooked();
        } finally {
            looking.release();
        }
    }

    private static Refusal notLooked() {
        return new Refusal(Problem.recovering()
                .saying("this server does not know what the call names, and cannot look now whether another one has"
                        + " deployed it; nothing happened"));
    }

    // ---- events

    /** The answer comes when the event is durable and applied; whoever waits is told by the executor. */
    private CompletableFuture<Reply> append(Call call, List<String> names, Executor executor) {
        return append(call, names, executor, store.forwarding().isPresent());
    }

    /** @param looks whether to look for a deployment by another server before what is not known is refused */
    private CompletableFuture<Reply> append(Call call, List<String> names, Executor executor, boolean looks) {
        try {
            return appendHere(call, names, executor, looks);
        } catch (ElsewhereException elsewhere) {
            return store.patience().isZero()
                    ? forwarding(elsewhere).start(call, elsewhere, executor)
                    : CompletableFuture.completedFuture(atOwner(
                            call, names, (again, same) -> Routes.await(appendHere(again, same, Runnable::run, looks))));
        }
    }

    private CompletableFuture<Reply> appendHere(Call call, List<String> names, Executor executor, boolean looks) {
        Query.of(call);
        long workspace = workspace(names);
        Command command = CommandJson.read(call.body(), workspace);
        Command keyed = call.key().map(RequestKey::key).map(command::key).orElse(command);
        Optional<Application> known = store.applications().find(names.get(0));
        if (known.isEmpty() && looks) {
            return lookThenAppend(call, names, executor);
        }
        Application application = store.applications().get(names.get(0));
        Partition partition = read(application.partitionOf(workspace));
        return partition
                .submit(keyed)
                .thenApplyAsync(LogCalls::appended, executor)
                .exceptionallyComposeAsync(
                        e -> {
                            Refusal refusal = refusal(partition, e);
                            return looks && mayBeDeployed(refusal)
                                    ? lookThenAppend(call, names, executor)
                                    : CompletableFuture.failedFuture(refusal);
                        },
                        executor);
    }

    private static Reply appended(Appended appended) {
        return Reply.json(201, LogJson.appended(appended));
    }

    /** Whether a newer definition, which another server has deployed, may have what a command names. */
    private static boolean mayBeDeployed(Refusal refusal) {
        String code = refusal.problem().code();
        return code.equals(ErrorCode.UNKNOWN_TYPE.name()) || code.equals(ErrorCode.BAD_REQUEST.name());
    }

    /** Tries once more when it is known what is deployed; no thread waits. */
    private CompletableFuture<Reply> lookThenAppend(Call call, List<String> names, Executor executor) {
        return store.applications()
                .lookAgain()
                .orTimeout(LOOKED.toMillis(), TimeUnit.MILLISECONDS)
                .handleAsync(
                        (looked, e) -> {
                            if (e != null) {
                                throw notLooked();
                            }
                            return store.applications().find(names.get(0));
                        },
                        executor)
                .thenCompose(found -> found.map(each -> whenRead(each, workspace(names)))
                        .orElseGet(() -> CompletableFuture.completedFuture(null)))
                .thenComposeAsync(read -> append(call, names, executor, false), executor);
    }

    /** Is done when a log that was opened anew for its new definition is read, or that takes longer. */
    private static CompletableFuture<Void> whenRead(Application application, long workspace) {
        CompletableFuture<Void> read = new CompletableFuture<>();
        Partition partition;
        try {
            partition = application.partitionOf(workspace);
        } catch (ElsewhereException e) {
            return CompletableFuture.completedFuture(null); // its owner will have seen to it
        }
        Runnable silence = partition.listen(() -> {
            if (!isRecovering(partition)) {
                read.complete(null);
            }
        });
        if (!isRecovering(partition)) {
            read.complete(null);
        }
        return read.completeOnTimeout(null, DEPLOYED.toMillis(), TimeUnit.MILLISECONDS)
                .whenComplete((done, e) -> silence.run());
    }

    private Reply refused(Partition partition, Throwable e) {
        throw refusal(partition, e);
    }

    private Refusal refusal(Partition partition, Throwable e) {
        Throwable cause = e instanceof CompletionException && e.getCause() != null ? e.getCause() : e;
        if (cause instanceof EventLogException known) {
            return new Refusal(problem(partition, known));
        }
        throw new CompletionException(cause);
    }

    private Reply partitionEvents(Call call, List<String> names) {
        Partition partition = read(partition(names));
        return events(call, partition, partition::events, Event::plogOffset);
    }

    private Reply workspaceEvents(Call call, List<String> names) {
        long workspace = workspace(names);
        Partition partition = read(application(names).partitionOf(workspace));
        return events(
                call, partition, (from, limit) -> partition.workspaceEvents(workspace, from, limit), Event::wlogOffset);
    }

    private Reply events(Call call, Partition partition, EventFeed.Pages pages, ToLongFunction<Event> offset) {
        if (EventFeed.isWanted(call)) {
            EventFeed feed = new EventFeed(partition, pages, offset, followed(call));
            return said(partition, () -> Reply.following(feed));
        }
        Query query = Query.of(call, FROM, "limit");
        long from = query.integer(FROM, 1, 1, Long.MAX_VALUE);
        int limit = Math.toIntExact(query.integer("limit", LIST, 1, Partition.MOST_EVENTS));
        EventPage page = said(partition, () -> pages.from(from, limit));
        return Reply.json(200, Json.object(out -> {
            out.writeArrayPropertyStart("events");
            page.events().forEach(event -> {
                out.writeStartObject();
                LogJson.write(out, event);
                out.writeEndObject();
            });
            out.writeEndArray();
            out.writeNumberProperty("next", page.next());
        }));
    }

    /** Where a follower begins: behind the last event that it has seen, whatever its address says. */
    private static long followed(Call call) {
        long from = Query.of(call, FROM).integer(FROM, 1, 1, Long.MAX_VALUE);
        return call.header(Call.LAST_EVENT_ID)
                .filter(seen -> !seen.isEmpty())
                .map(seen -> 1 + Integers.parse("Last-Event-ID", seen, 0, Long.MAX_VALUE - 1))
                .orElse(from);
    }

    private Reply record(Call call, List<String> names) {
        Query.of(call);
        long workspace = workspace(names);
        long id = Integers.parse("id", names.get(2));
        Partition partition = read(application(names).partitionOf(workspace));
        StoredRecord record = said(partition, () -> partition.record(workspace, id))
                .orElseThrow(() -> new Refusal(Problem.notFound("workspace " + workspace + " has no record " + id)));
        return Reply.json(200, Json.object(out -> LogJson.write(out, record)));
    }

    private static long workspace(List<String> names) {
        return Integers.parse("workspace", names.get(1));
    }

    // ---- partitions

    private Partition partition(List<String> names) {
        long number = Integers.parse("partition", names.get(1));
        Application application = application(names);
        if (number != (int) number) {
            throw new Refusal(Problem.notFound("application " + application.name() + " has no partition " + number));
        }
        return application.partition((int) number);
    }

    private Reply partition(Call call, List<String> names) {
        Query.of(call);
        Partition partition = read(partition(names));
        return state(partition, partition.state());
    }

    private Reply state(Partition partition, PartitionState state) {
        boolean isOurs = state.sequencer().epoch() > 0
                && state.status() != PartitionStatus.FENCED
                && state.status() != PartitionStatus.CLOSED;
        Optional<String> owner = isOurs ? Optional.of(store.sequences().node()) : Optional.empty();
        return Reply.json(200, Json.object(out -> LogJson.write(out, partition, state, owner)));
    }

    private Reply check(Call call, List<String> names) {
        requireNothing(call);
        Partition partition = read(partition(names));
        if (!checks.tryAcquire()) {
            throw new Refusal(Problem.busy("other logs are being checked"));
        }
        try {
            return said(partition, () -> Check.reply(partition.check()));
        } finally {
            checks.release();
        }
    }

    private enum Act {
        ACTUALIZE,
        REBUILD;

        CompletableFuture<PartitionState> on(Partition partition) {
            return this == ACTUALIZE ? partition.actualize() : partition.rebuild();
        }
    }

    /** What takes longer goes on, and the answer is how far it has come. */
    private Reply act(Call call, List<String> names, Act act) {
        requireNothing(call);
        Partition partition = partition(names);
        try {
            return state(partition, act.on(partition).get(ACT.toMillis(), TimeUnit.MILLISECONDS));
        } catch (TimeoutException e) {
            return state(partition, partition.state());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new Refusal(Problem.busy("the server is stopping; what was asked for goes on"));
        } catch (ExecutionException e) {
            return refused(partition, e.getCause() == null ? e : e.getCause());
        }
    }

    private static void requireNothing(Call call) {
        Query.of(call);
        Fields unused = Fields.ofOptional(call.body()).only(List.of());
    }

    // ---- a log that is being read

    /** The partition, after its log is read where nobody has read it before; a server answers that it is being read. */
    private Partition read(Partition partition) {
        awaitRead(partition, store.patience());
        return partition;
    }

    /** After a deployment: other nodes may have to take some of the partitions first. */
    private void awaitOwners(Application application) {
        long deadline = System.nanoTime() + DEPLOYED.toNanos();
        while (isWaiting(application)
                && System.nanoTime() - deadline < 0
                && !Thread.currentThread().isInterrupted()) {
            LockSupport.parkNanos(BETWEEN_LOOKS.toNanos());
        }
    }

    private boolean isWaiting(Application application) {
        return store.applications()
                .cluster()
                .filter(state -> state.partitions().stream()
                        .anyMatch(place -> place.key().application() == application.id()
                                && place.owner().isEmpty()))
                .isPresent();
    }

    /** After a deployment: whoever sends the first command behind it need not come twice, unless the log is long. */
    private static void awaitRead(Application application) {
        long deadline = System.nanoTime() + DEPLOYED.toNanos();
        application
                .partitions()
                .forEach(each -> awaitRead(each, Duration.ofNanos(Math.max(0, deadline - System.nanoTime()))));
    }

    private static void awaitRead(Partition partition, Duration patience) {
        if (patience.isZero() || !isRecovering(partition)) {
            return;
        }
        CountDownLatch over = new CountDownLatch(1);
        Runnable silence = partition.listen(() -> {
            if (!isRecovering(partition)) {
                over.countDown();
            }
        });
        try {
            boolean unused = !isRecovering(partition) || over.await(patience.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            silence.run();
        }
    }

    private static boolean isRecovering(Partition partition) {
        return partition.state().status() == PartitionStatus.RECOVERING;
    }

    // ---- what is in the way

    private <T> T said(Partition partition, Supplier<T> answer) {
        try {
            return answer.get();
        } catch (EventLogException e) {
            throw new Refusal(problem(partition, e));
        }
    }

    /** The problem of a call on a partition, with what is known of that. */
    private Problem problem(Partition partition, EventLogException e) {
        if (store.forwarding().isPresent() && (e.code() == ErrorCode.FENCED || e.code() == ErrorCode.CLOSED)) {
            return Problem.recovering().saying("the partition goes to another node; nothing happened");
        }
        Problem problem = Problem.of(e);
        if (e.code() == ErrorCode.QUARANTINED) {
            return problem.with("partition", (long) partition.number())
                    .with("differences", LogJson.facts(partition.state().differences(), SHOWN_DIFFERENCES));
        }
        if (e.code() == ErrorCode.RECOVERING) {
            ReplayProgress replay = partition.state().sequencer().replay();
            return problem.with("partition", (long) partition.number()).with("percent", (long) replay.percent());
        }
        return problem;
    }
}
