package io.seriatim.postgresql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

final class PostgresSettingsTest {

    private static final PostgresSettings GOOD =
            PostgresSettings.of("jdbc:postgresql://db/app?password=hidden", "ann", "secret");

    private static void refused(Runnable making) {
        assertThatThrownBy(making::run).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void of_goodValues_areKept() {
        PostgresSettings settings = GOOD.withSchema("a_1")
                .withConnections(1)
                .withTimeouts(Duration.ofMillis(250), Duration.ofMillis(1), Duration.ofMillis(2));
        assertThat(settings.schema()).isEqualTo("a_1");
        assertThat(settings.connections()).isEqualTo(1);
        assertThat(settings.socketTimeout()).isEqualTo(Duration.ofMillis(2));
    }

    /** The schema's name becomes part of a statement. */
    @Test
    void schema_thatIsNoPlainName_isRefused() {
        for (String schema : List.of("", "A", "1a", "a b", "a\"", "a'b", "pg_a", "ä", "a".repeat(64), "a\n", "a;b")) {
            refused(() -> GOOD.withSchema(schema));
        }
    }

    @Test
    void numbers_outOfRange_areRefused() {
        refused(() -> PostgresSettings.of("jdbc:mysql://db/app", "ann", ""));
        refused(() -> GOOD.withConnections(0));
        Duration second = Duration.ofSeconds(1);
        refused(() -> GOOD.withTimeouts(Duration.ofMillis(249), second, second.plusMillis(1)));
        refused(() -> GOOD.withTimeouts(second, Duration.ZERO, second));
        refused(() -> GOOD.withTimeouts(second, second, second)); // the uncertain answer would come first
        refused(() -> GOOD.withTimeouts(second, second, Duration.ofHours(2)));
    }

    @Test
    void toString_showsNoPassword() {
        assertThat(GOOD.toString()).isEqualTo("postgresql://db/app, schema seriatim as ann");
    }

    @Test
    void instants_anyOfThem_comeBackInOrder() {
        List<Instant> instants = List.of(
                Instant.parse("0000-01-01T00:00:00Z"),
                Instant.EPOCH.minusNanos(1),
                Instant.EPOCH,
                Instant.EPOCH.plusNanos(1),
                Instant.EPOCH.plusNanos(1_000_000),
                Instant.parse("9999-12-31T23:59:59.999999999Z"));
        List<String> texts = instants.stream().map(Instants::format).toList();
        assertThat(texts).isSorted().allSatisfy(text -> assertThat(text).hasSize(30));
        assertThat(texts.stream().map(Instants::parse)).isEqualTo(instants);
        for (Instant far : List.of(Instant.MIN, Instant.MAX)) {
            assertThat(Instants.parse(Instants.format(far))).isEqualTo(far);
        }
    }
}
