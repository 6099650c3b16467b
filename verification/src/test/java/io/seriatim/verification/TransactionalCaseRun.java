package io.seriatim.verification;

import io.seriatim.ErrorCode;
import io.seriatim.store.TransactionalStore.PutOutcome;
import io.seriatim.store.VersionedValue;
import io.seriatim.transaction.SequenceGenerator;
import io.seriatim.transaction.TransactionException;
import io.seriatim.transaction.TransactionalSequences;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Runs the ops of one case and says in the words of the cases what they come to. */
final class TransactionalCaseRun {

    /** Of a sequence that nobody has made. */
    private static final long UNKNOWN = Long.MAX_VALUE;

    private final TransactionalCase run;
    private final TransactionalWorld world;
    private final Map<String, Long> ids = new HashMap<>();
    private final Map<String, UserTransaction> transactions = new HashMap<>();
    private TransactionalSequences sequences;
    private @Nullable SequenceGenerator generator;

    TransactionalCaseRun(TransactionalCase run, TransactionalWorld world) {
        this.run = run;
        this.world = world;
        this.sequences = TransactionalSequences.on(world.store());
    }

    List<String> outcomes() throws Exception {
        List<String> outcomes = new ArrayList<>();
        try {
            for (int at = 0; at < run.ops().size(); at++) {
                String outcome = outcome(run.ops().get(at).split(" "));
                outcomes.add(run.expected().get(at).equals("ok") && outcome.startsWith("put ") ? "ok" : outcome);
            }
        } finally {
            transactions.values().forEach(UserTransaction::close);
        }
        return outcomes;
    }

    private String outcome(String[] op) throws Exception {
        try {
            return switch (op[0]) {
                case "register" -> register();
                case "next" -> Long.toString(generator().next());
                case "state" -> text(generator().state());
                case "notify" ->
                    "put " + text(generator().register(transaction(op[1]).handle()));
                case "begin" -> {
                    transactions.put(op[1], world.begin());
                    yield "ok";
                }
                case "commit" -> {
                    transaction(op[1]).commit();
                    yield "ok";
                }
                case "abort" -> {
                    transaction(op[1]).close();
                    yield "ok";
                }
                case "durable" -> "ok"; // a commit is durable when it has returned
                case "restart", "recover" -> {
                    crash();
                    yield "ok";
                }
                case "create" -> {
                    ids.put(op[1], sequences.create());
                    yield "ok";
                }
                case "put" -> put(op);
                case "get" -> text(sequences.get(id(op[1])));
                case "delete" -> {
                    sequences.delete(id(op[1]));
                    yield "ok";
                }
                case "id" -> Boolean.toString(id(op[1]) > id(op[4]));
                case "4" -> together();
                case "all" -> Boolean.toString(ids.size() == Integer.parseInt(op[1]) && areThere());
                default -> throw new AssertionError("no such op: " + String.join(" ", op));
            };
        } catch (TransactionException e) {
            if (e.code() == ErrorCode.NOT_FOUND) {
                return "not-found";
            }
            throw e;
        } catch (IllegalArgumentException e) {
            return "bad-argument";
        }
    }

    private String register() {
        ids.computeIfAbsent("the one", name -> sequences.create());
        generator = sequences.generator(id("the one"), run.definition());
        return "ok";
    }

    private String put(String[] op) {
        PutOutcome outcome =
                sequences.put(transaction(op[1]).handle(), id(op[2]), Long.parseLong(op[4]), Long.parseLong(op[3]));
        return outcome == PutOutcome.NOT_NEWER ? "already-exists" : "ok";
    }

    private void crash() {
        transactions.values().forEach(UserTransaction::close);
        transactions.clear();
        world.crash();
        sequences = TransactionalSequences.on(world.store());
        generator = null;
    }

    /** Four threads make 50 sequences each while four others look for 20 over and over. */
    private String together() throws Exception {
        for (int i = 0; i < 20; i++) {
            ids.put("old " + i, sequences.create());
        }
        List<Long> old = List.copyOf(ids.values());
        Set<Long> made = ConcurrentHashMap.newKeySet();
        Together.run(8, thread -> {
            if (thread < 4) {
                for (int i = 0; i < 50; i++) {
                    made.add(sequences.create());
                }
            } else {
                for (int round = 0; round < 500; round++) {
                    old.forEach(this::requireNew);
                }
            }
        });
        made.forEach(id -> ids.put("new " + id, id));
        return "ok";
    }

    private boolean areThere() {
        ids.values().forEach(this::requireNew);
        return true;
    }

    private void requireNew(long id) {
        if (!sequences.get(id).equals(VersionedValue.NONE)) {
            throw new AssertionError("nobody put that: " + sequences.get(id));
        }
    }

    private SequenceGenerator generator() {
        return Objects.requireNonNull(generator);
    }

    private UserTransaction transaction(String name) {
        return Objects.requireNonNull(transactions.get(name));
    }

    private long id(String name) {
        return ids.getOrDefault(name, UNKNOWN);
    }

    private static String text(VersionedValue pair) {
        return pair.version() + "/" + pair.value();
    }
}
