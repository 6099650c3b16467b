package io.seriatim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The rules of PostgreSQL 15's CREATE and ALTER SEQUENCE, and which option an error names. */
final class DefinitionTest {

    private static SequenceDefinition wish(String text) {
        SequenceDefinition wish = SequenceDefinition.changes();
        for (String option : text.isBlank() ? new String[0] : text.split(" ", -1)) {
            String[] parts = option.split("=", -1);
            wish = wish.with(parts[0], parts[1].equals("null") ? null : parts[1]);
        }
        return wish;
    }

    @ParameterizedTest
    @CsvSource({
        "increment=0,increment,BAD_OPTION",
        "min=2 max=1,min,BAD_OPTION",
        "min=1 max=1,min,BAD_OPTION",
        "start=0,start,BAD_OPTION",
        "start=11 max=10,start,BAD_OPTION",
        "start=5 increment=-1,start,BAD_OPTION",
        "cache=0,cache,BAD_OPTION",
        "cache=-1,cache,BAD_OPTION",
        "cache=many,cache,BAD_OPTION",
        "warnAt=0,warnAt,BAD_OPTION",
        "warnAt=-1,warnAt,BAD_OPTION",
        "warnAt=some,warnAt,BAD_OPTION",
        "warnAt=9223372036854775808,warnAt,OUT_OF_RANGE",
        "warnAt=5 cycle=true,warnAt,BAD_OPTION",
        "type=smallint max=32768,max,BAD_OPTION",
        "type=integer min=-2147483649,min,BAD_OPTION",
        "type=int8,type,BAD_OPTION",
        "cycle=yes,cycle,BAD_OPTION",
        "contract=quick,contract,BAD_OPTION",
        "size=3,size,BAD_OPTION",
        "max=1.0,max,BAD_OPTION",
        "max=1e3,max,BAD_OPTION",
        "max=+1,max,BAD_OPTION",
        "max=٣,max,BAD_OPTION",
        "max=9223372036854775808,max,OUT_OF_RANGE",
        "min=-9223372036854775809,min,OUT_OF_RANGE",
        "increment=99999999999999999999999,increment,OUT_OF_RANGE",
    })
    void of_badOption_namesIt(String text, String option, ErrorCode code) {
        assertThatThrownBy(() -> Definition.of(wish(text))).isInstanceOfSatisfying(BadDefinitionException.class, e -> {
            assertThat(e.option()).isEqualTo(option);
            assertThat(e.code()).isEqualTo(code);
        });
    }

    @ParameterizedTest
    @CsvSource({
        // a definition, a change, and what the change makes of min, max, start, increment
        "'', type=smallint, 1, 32767, 1, 1",
        "type=smallint, type=bigint, 1, 9223372036854775807, 1, 1",
        "type=smallint max=10, type=integer, 1, 10, 1, 1",
        "type=smallint increment=-1, type=integer, -2147483648, -1, -1, -1",
        "'', increment=-2, 1, 9223372036854775807, 1, -2",
        "max=10 min=5 start=7, max=null, 5, 9223372036854775807, 7, 1",
        "max=10 min=5 start=7, min=null, 1, 10, 7, 1",
        "max=10 min=5 start=7, start=null, 5, 10, 5, 1",
        "max=10 min=5 start=7 increment=3, increment=null, 5, 10, 7, 1",
        "max=-1 min=-10 start=-7 increment=-3, max=null, -10, -1, -7, -3",
        "type=integer max=10, max=null, 1, 2147483647, 1, 1",
    })
    void altered_namedOptions_changeAndTheRestStays(
            String definition, String change, long min, long max, long start, long increment) {
        Definition altered = Definition.of(wish(definition)).altered(wish(change));
        assertThat(altered.min()).isEqualTo(min);
        assertThat(altered.max()).isEqualTo(max);
        assertThat(altered.start()).isEqualTo(start);
        assertThat(altered.increment()).isEqualTo(increment);
    }

    @Test
    void altered_cycleWhereItIsWarned_isRefused() {
        Definition definition = Definition.of(wish("warnAt=3"));
        assertThatThrownBy(() -> definition.altered(wish("cycle=true")))
                .isInstanceOfSatisfying(
                        BadDefinitionException.class,
                        e -> assertThat(e.option()).isEqualTo("warnAt"));
        assertThat(definition.altered(wish("max=7")).warnAt()).hasValue(3);
        assertThat(definition.altered(wish("cycle=true warnAt=null")).cycle()).isTrue();
    }

    @Test
    void asWish_everyOption_comesBackEqual() {
        Definition cycling = Definition.of(
                wish("type=integer start=-5 min=-10 max=20 increment=-3 cycle=true cache=7 contract=fast"));
        assertThat(Definition.of(cycling.asWish())).isEqualTo(cycling);
        Definition definition = cycling.altered(wish("cycle=false warnAt=3"));
        assertThat(Definition.of(definition.asWish())).isEqualTo(definition);
        assertThat(definition.asWish().options().keySet())
                .containsExactlyInAnyOrderElementsOf(SequenceDefinition.optionNames());
    }
}
