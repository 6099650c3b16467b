package io.seriatim.verification;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.seriatim.ErrorCode;
import io.seriatim.SequenceDefinition;
import io.seriatim.SequenceExhaustedException;
import io.seriatim.store.TransactionalStore.PutOutcome;
import io.seriatim.store.VersionedValue;
import io.seriatim.transaction.CatalogueEntry;
import io.seriatim.transaction.SequenceCatalogue;
import io.seriatim.transaction.SequenceGenerator;
import io.seriatim.transaction.SequenceSession;
import io.seriatim.transaction.TransactionException;
import io.seriatim.transaction.TransactionalSequences;
import java.util.Set;
import java.util.TreeSet;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What every store with transactions promises beside the cases of transactional.jsonl. */
@SuppressWarnings("NullAway.Init")
public abstract class TransactionalStoreContract {

    private TransactionalWorld world;
    private TransactionalSequences sequences;
    private SequenceCatalogue catalogue;

    /** A world in which nobody has been. */
    protected abstract TransactionalWorld open();

    @BeforeEach
    void begin() {
        world = open();
        meet();
    }

    @AfterEach
    void end() {
        world.close();
    }

    private void meet() {
        sequences = TransactionalSequences.on(world.store());
        catalogue = SequenceCatalogue.on(sequences);
    }

    private void crash() {
        world.crash();
        meet();
    }

    private static void assertCode(ErrorCode code, ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        TransactionException.class, e -> assertThat(e.code()).isEqualTo(code));
    }

    private CatalogueEntry define(String name, SequenceDefinition definition) {
        try (UserTransaction transaction = world.begin()) {
            CatalogueEntry entry = catalogue.define(transaction.handle(), name, definition);
            transaction.commit();
            return entry;
        }
    }

    @Test
    void rollbackToSavepoint_putsSinceThen_areUndoneAndMayComeAgain() {
        long id = sequences.create();
        try (UserTransaction transaction = world.begin()) {
            sequences.put(transaction.handle(), id, 10, 1);
            transaction.setSavepoint();
            sequences.put(transaction.handle(), id, 20, 2);
            transaction.rollbackToSavepoint();
            assertThat(sequences.put(transaction.handle(), id, 11, 1)).isEqualTo(PutOutcome.NOT_NEWER);
            assertThat(sequences.put(transaction.handle(), id, 21, 2)).isEqualTo(PutOutcome.WRITTEN);
            transaction.commit();
        }
        assertThat(sequences.get(id)).isEqualTo(new VersionedValue(2, 21));
    }

    @Test
    void put_lowerVersionInALaterTransaction_isAcceptedAndLoses() {
        long id = sequences.create();
        for (long version : new long[] {5, 3, 5}) {
            try (UserTransaction transaction = world.begin()) {
                assertThat(sequences.put(transaction.handle(), id, 10 * version, version))
                        .isEqualTo(PutOutcome.WRITTEN);
                transaction.commit();
            }
        }
        assertThat(sequences.get(id)).isEqualTo(new VersionedValue(5, 50));
    }

    /** Nobody notices a put to no sequence; but one to the greatest id left none for a sequence to come. */
    @Test
    void create_afterAPutToAnIdThatNobodyWasGiven_goesOn() {
        try (UserTransaction transaction = world.begin()) {
            for (long id : new long[] {Long.MIN_VALUE, -1, 0, Long.MAX_VALUE}) {
                sequences.put(transaction.handle(), id, 1, 1);
            }
            transaction.commit();
        }
        crash();
        long id = sequences.create();
        assertThat(id).isPositive();
        assertThat(sequences.get(id)).isEqualTo(VersionedValue.NONE);
        assertThat(sequences.create()).isGreaterThan(id);
    }

    /**
     * Who began before a drop, or kept what it had found, still knows the sequence. Its generator is gone, and what is stored
     * is too: it was taken for a new sequence, whose values began again.
     */
    @Test
    void generator_droppedAndForgotten_isNotFoundThoughAnOlderTransactionKnowsIt() {
        CatalogueEntry entry = define("orders", SequenceDefinition.ascending());
        try (UserTransaction older = world.begin()) {
            assertThat(catalogue.find(older.handle(), "orders")).contains(entry);
            try (UserTransaction dropping = world.begin()) {
                catalogue.drop(dropping.handle(), "orders");
                dropping.commit();
            }
            catalogue.forget(entry.id());
            assertCode(ErrorCode.NOT_FOUND, () -> catalogue.generator(older.handle(), "orders"));
            assertCode(ErrorCode.NOT_FOUND, () -> catalogue.generator(entry));
        }
    }

    @Test
    void put_greatestVersionAndBothEndsOfTheValues_comeBack() {
        long id = sequences.create();
        try (UserTransaction transaction = world.begin()) {
            sequences.put(transaction.handle(), id, Long.MIN_VALUE, 1);
            sequences.put(transaction.handle(), id, Long.MAX_VALUE, Long.MAX_VALUE);
            transaction.commit();
        }
        crash();
        assertThat(sequences.get(id)).isEqualTo(new VersionedValue(Long.MAX_VALUE, Long.MAX_VALUE));
        SequenceGenerator generator =
                sequences.generator(id, SequenceDefinition.ascending().cycle(true));
        assertCode(ErrorCode.OUT_OF_RANGE, generator::next);
    }

    /** Whoever draws more than is registered gets those values again after a crash, and nothing is left out. */
    @Test
    void next_afterACrash_goesOnBehindWhatIsDurable() {
        long id = sequences.create();
        SequenceGenerator generator = sequences.generator(id, SequenceDefinition.ascending());
        try (UserTransaction transaction = world.begin()) {
            assertThat(generator.next(transaction.handle())).isEqualTo(1);
            assertThat(generator.next(transaction.handle())).isEqualTo(2);
            transaction.commit();
        }
        try (UserTransaction aborted = world.begin()) {
            assertThat(generator.next(aborted.handle())).isEqualTo(3);
        }
        assertThat(generator.next()).isEqualTo(4);
        crash();
        SequenceGenerator next = sequences.generator(id, SequenceDefinition.ascending());
        assertThat(next.state()).isEqualTo(new VersionedValue(2, 2));
        assertThat(next.next()).isEqualTo(3);
    }

    @Test
    void register_nothingDrawn_putsNothing() {
        long id = sequences.create();
        SequenceGenerator generator = sequences.generator(id, SequenceDefinition.descending());
        try (UserTransaction transaction = world.begin()) {
            assertThat(generator.register(transaction.handle())).isEqualTo(new VersionedValue(0, -1));
            transaction.commit();
        }
        assertThat(sequences.get(id)).isEqualTo(VersionedValue.NONE);
    }

    @Test
    void next_atTheLimit_movesNothing() {
        SequenceGenerator generator = sequences.generator(
                sequences.create(), SequenceDefinition.ascending().max(2));
        assertThat(generator.next()).isEqualTo(1);
        assertThat(generator.next()).isEqualTo(2);
        assertThatThrownBy(generator::next)
                .isInstanceOfSatisfying(
                        SequenceExhaustedException.class,
                        e -> assertThat(e.limitValue()).isEqualTo(2));
        assertThat(generator.state()).isEqualTo(new VersionedValue(2, 2));
    }

    @Test
    void generator_optionsOfOtherContracts_areRefused() {
        long id = sequences.create();
        assertThatThrownBy(() ->
                        sequences.generator(id, SequenceDefinition.ascending().cache(10)))
                .hasMessageContaining("cache");
    }

    // ---- names

    @Test
    void define_aborted_leavesNothing() {
        CatalogueEntry entry;
        try (UserTransaction transaction = world.begin()) {
            entry = catalogue.define(transaction.handle(), "orders", SequenceDefinition.ascending());
            assertThat(catalogue.find(transaction.handle(), "orders")).contains(entry);
            assertThat(catalogue.find(transaction.handle(), entry.id())).contains(entry);
            assertThat(catalogue.session().nextValue(transaction.handle(), "orders"))
                    .isEqualTo(1);
        }
        crash();
        try (UserTransaction transaction = world.begin()) {
            assertThat(catalogue.find(transaction.handle(), "orders")).isEmpty();
            assertThat(catalogue.find(transaction.handle(), entry.id())).isEmpty();
            assertThat(catalogue.list(transaction.handle(), "", 10)).isEmpty();
        }
        assertCode(ErrorCode.NOT_FOUND, () -> sequences.get(entry.id()));
        CatalogueEntry again = define("orders", SequenceDefinition.ascending());
        assertThat(sequences.get(again.id())).isEqualTo(VersionedValue.NONE);
    }

    @Test
    void define_twice_alreadyExists() {
        define("orders", SequenceDefinition.ascending());
        try (UserTransaction transaction = world.begin()) {
            assertCode(
                    ErrorCode.ALREADY_EXISTS,
                    () -> catalogue.define(transaction.handle(), "orders", SequenceDefinition.ascending()));
            assertThat(catalogue.find(transaction.handle(), "orders")).isPresent();
            assertThat(catalogue.find(transaction.handle(), "Orders")).isEmpty();
        }
    }

    @Test
    void drop_byNameOrId_isForTheTransactionThatCommits() {
        CatalogueEntry orders = define("orders", SequenceDefinition.ascending().max(100));
        CatalogueEntry items = define("items", SequenceDefinition.descending());
        try (UserTransaction aborted = world.begin()) {
            catalogue.drop(aborted.handle(), "orders");
            assertThat(catalogue.find(aborted.handle(), "orders")).isEmpty();
            assertCode(ErrorCode.NOT_FOUND, () -> catalogue.drop(aborted.handle(), orders.id()));
        }
        try (UserTransaction transaction = world.begin()) {
            assertThat(catalogue.list(transaction.handle(), "", 10)).containsExactly(items, orders);
            assertThat(catalogue.list(transaction.handle(), "items", 1)).containsExactly(orders);
            catalogue.drop(transaction.handle(), items.id());
            transaction.commit();
        }
        crash();
        assertThat(sequences.get(orders.id())).isEqualTo(VersionedValue.NONE);
        assertCode(ErrorCode.NOT_FOUND, () -> sequences.get(items.id()));
        assertThat(define("items", SequenceDefinition.ascending()).id()).isNotEqualTo(items.id());
    }

    @Test
    void delete_ofASequenceWithAName_isRefused() {
        CatalogueEntry orders = define("orders", SequenceDefinition.ascending());
        assertThatThrownBy(() -> sequences.delete(orders.id())).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void replace_ofASequence_goesOnWhereTheCallerSays() {
        CatalogueEntry old = define("orders", SequenceDefinition.ascending());
        try (UserTransaction transaction = world.begin()) {
            assertThat(catalogue.session().nextValue(transaction.handle(), "orders"))
                    .isEqualTo(1);
            transaction.commit();
        }
        try (UserTransaction transaction = world.begin()) {
            long last = catalogue.generator(old).state().value();
            catalogue.replace(
                    transaction.handle(),
                    "orders",
                    SequenceDefinition.ascending().increment(10).start(last + 10));
            transaction.commit();
        }
        catalogue.forget(old.id());
        crash();
        try (UserTransaction transaction = world.begin()) {
            assertThat(catalogue.session().nextValue(transaction.handle(), "orders"))
                    .isEqualTo(11);
            assertThat(catalogue.session().nextValue(transaction.handle(), "orders"))
                    .isEqualTo(21);
        }
    }

    @Test
    void currentValue_ofASession_isItsOwn() {
        define("orders", SequenceDefinition.ascending());
        SequenceSession one = catalogue.session();
        SequenceSession other = catalogue.session();
        try (UserTransaction transaction = world.begin()) {
            assertCode(ErrorCode.NO_CURRENT_VALUE, () -> one.currentValue(transaction.handle(), "orders"));
            assertThat(one.nextValue(transaction.handle(), "orders")).isEqualTo(1);
            assertThat(other.nextValue(transaction.handle(), "orders")).isEqualTo(2);
            assertThat(one.currentValue(transaction.handle(), "orders")).isEqualTo(1);
        }
        try (UserTransaction transaction = world.begin()) {
            assertThat(one.currentValue(transaction.handle(), "orders")).isEqualTo(1); // an abort takes nothing back
            assertCode(ErrorCode.NOT_FOUND, () -> one.currentValue(transaction.handle(), "nothing"));
        }
    }

    /** Threads that draw, use and commit share one generator: no value twice, and the last one is durable. */
    @Test
    void nextValue_ofManySessions_isUniqueAndDurable() throws Exception {
        define("orders", SequenceDefinition.ascending());
        Set<Long> values = new TreeSet<>();
        Together.run(8, thread -> {
            SequenceSession session = catalogue.session();
            for (int i = 0; i < 20; i++) {
                try (UserTransaction transaction = world.begin()) {
                    long value = session.nextValue(transaction.handle(), "orders");
                    transaction.commit();
                    synchronized (values) {
                        values.add(value);
                    }
                }
            }
        });
        assertThat(values).hasSize(160);
        crash();
        try (UserTransaction transaction = world.begin()) {
            assertThat(catalogue.session().nextValue(transaction.handle(), "orders"))
                    .isEqualTo(161);
        }
    }
}
