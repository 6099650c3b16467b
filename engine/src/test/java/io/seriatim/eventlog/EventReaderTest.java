package io.seriatim.eventlog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;

class EventReaderTest {

    private final WrittenLog log = new WrittenLog();

    @Test
    void next_manyPages_givesEachEventOnceAndThenThoseThatCome() {
        log.append(1, 1_000);
        EventReader reader = new EventReader(log.partition, 3);
        for (long offset = 3; offset <= 1_000; offset++) {
            assertThat(reader.next().orElseThrow().offset()).isEqualTo(offset);
        }
        assertThat(reader.next()).isEmpty();
        assertThat(reader.isAtHole()).isFalse();

        log.append(1_001, 1_001);

        assertThat(reader.next().orElseThrow().offset()).isEqualTo(1_001);
        assertThat(reader.nextOffset()).isEqualTo(1_002);
    }

    @Test
    void next_atAHole_stopsUntilItIsFilled() {
        log.append(1, 2);
        log.append(4, 5);
        EventReader reader = new EventReader(log.partition, 1);
        assertThat(reader.next()).isPresent();
        assertThat(reader.next()).isPresent();

        assertThat(reader.next()).isEmpty();
        assertThat(reader.next()).isEmpty();
        assertThat(reader.isAtHole()).isTrue();
        assertThat(reader.nextOffset()).isEqualTo(3);

        log.append(3, 3);

        assertThat(reader.next().orElseThrow().offset()).isEqualTo(3);
        assertThat(reader.isAtHole()).isFalse();
        assertThat(reader.next().orElseThrow().offset()).isEqualTo(4);
    }

    @Test
    void reader_fromOffsetZero_isRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> new EventReader(log.partition, 0));
    }
}
