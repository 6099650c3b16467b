package io.seriatim.eventlog.application;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.seriatim.ErrorCode;
import io.seriatim.SystemEnvironment;
import io.seriatim.eventlog.EventLogException;
import io.seriatim.memory.MemoryEventLogStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** An application's projectors belong to it, whatever process runs it. */
class ProjectorsTest {

    private static final Duration WAIT = Duration.ofSeconds(20);
    private static final ApplicationDefinition SHOP = ApplicationDefinition.ofPartitions(1)
            .kind("shop", "RecordID", 200_001)
            .type("customer", RecordKind.CDOC);
    private static final Command CUSTOMER = Command.in("shop", 1).create(NewRecord.of("customer", 1));

    private final MemoryEventLogStore memory = new MemoryEventLogStore();
    private final SystemEnvironment environment = new SystemEnvironment();
    private final List<Long> shown = new ArrayList<>();
    private final ApplicationSettings without = ApplicationSettings.usual();
    private final ApplicationSettings with = without.withProjector("shop", new Projector() {
        @Override
        public String name() {
            return "mail";
        }

        @Override
        public void apply(int partition, Event event) {
            shown.add(event.plogOffset());
        }
    });

    @AfterEach
    void close() {
        memory.close();
        environment.close();
    }

    private Applications open(ApplicationSettings settings) {
        return Applications.on(new ForwardingStore(memory), settings, environment);
    }

    private static Partition shop(Applications applications) {
        return applications.get("shop").partition(0);
    }

    /** Nothing is applied, and a command is told why. */
    private static void refused(Applications applications) {
        long end = System.nanoTime() + WAIT.toNanos();
        while (shop(applications).state().trouble().isEmpty()) {
            assertThat(System.nanoTime() - end).as("past the time to wait").isNegative();
            Thread.onSpinWait();
        }
        assertThat(shop(applications).submit(CUSTOMER))
                .failsWithin(WAIT)
                .withThrowableThat()
                .havingCause()
                .isInstanceOfSatisfying(
                        EventLogException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.RECOVERING))
                .withMessageContaining("[mail]");
    }

    @Test
    void on_withoutAProjectorOfTheApplication_readsAndAppliesNothing() {
        try (Applications first = open(with)) {
            first.deploy("shop", SHOP);
            shop(first).append(CUSTOMER, WAIT);
        }
        try (Applications second = open(without)) {
            refused(second);
            assertThat(shop(second).events(1, 10).events()).hasSize(1);
            second.deploy("shop", SHOP.type("order", RecordKind.ODOC));
            refused(second);
        }
        try (Applications third = open(with)) {
            shop(third).append(CUSTOMER, WAIT);
        }
        assertThat(shown).containsExactly(1L, 2L);
    }

    @Test
    void on_withANewProjector_writesItDownWithoutADeployment() {
        try (Applications first = open(without)) {
            first.deploy("shop", SHOP);
            shop(first).append(CUSTOMER, WAIT);
        }
        try (Applications second = open(with)) {
            shop(second).append(CUSTOMER, WAIT);
        }
        try (Applications third = open(without)) {
            refused(third);
        }
        assertThat(shown).containsExactly(2L);
    }

    @Test
    void giveUp_letsAProcessWithoutItGoOn() {
        try (Applications first = open(with)) {
            first.deploy("shop", SHOP);
            assertThatThrownBy(() -> first.giveUp("shop", "mail")).hasMessageContaining("would bring it back");
            assertThatThrownBy(() -> first.giveUp("shop", "post")).hasMessageContaining("no projector of this name");
            assertThatThrownBy(() -> first.giveUp("depot", "mail")).hasMessageContaining("depot");
        }
        try (Applications second = open(without)) {
            second.giveUp("shop", "mail");
            shop(second).append(CUSTOMER, WAIT);
        }
        try (Applications third = open(without)) {
            shop(third).append(CUSTOMER, WAIT);
        }
        assertThat(shown).isEmpty();
    }
}
