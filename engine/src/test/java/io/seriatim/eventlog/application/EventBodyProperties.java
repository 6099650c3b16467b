package io.seriatim.eventlog.application;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.seriatim.eventlog.application.EventBody.Request;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** Fields and bodies of events, of every shape: what is written is what is read. */
final class EventBodyProperties {

    /** A text of any characters that have a UTF-8 form. */
    private static String text(Random random) {
        StringBuilder text = new StringBuilder();
        for (int left = random.nextInt(6); left > 0; left--) {
            text.appendCodePoint(
                    switch (random.nextInt(5)) {
                        case 0 -> random.nextInt(0x20);
                        case 1 -> 0x10000 + random.nextInt(0x100000);
                        case 2 -> 0xE000 + random.nextInt(0x2000);
                        case 3 -> "\"\\/\u007f\u2028".codePointAt(random.nextInt(5));
                        default -> 'a' + random.nextInt(26);
                    });
        }
        return text.toString();
    }

    private static Object number(Random random) {
        return switch (random.nextInt(8)) {
            case 0 -> random.nextLong();
            case 1 -> random.nextInt();
            case 2 -> random.nextBoolean() ? Long.MIN_VALUE : Long.MAX_VALUE;
            case 3 -> new BigInteger(random.nextInt(3_000), random).negate();
            case 4 -> new BigDecimal(new BigInteger(random.nextInt(3_000), random), random.nextInt(50) - 25);
            case 5 -> new BigDecimal(BigInteger.valueOf(random.nextLong()), random.nextInt(200_001) - 100_000);
            case 6 -> Double.longBitsToDouble(random.nextLong() & 0xBFFF_FFFF_FFFF_FFFFL);
            default -> random.nextFloat();
        };
    }

    private static Object field(Random random, int depth) {
        return switch (random.nextInt(depth < 12 ? 7 : 4)) {
            case 0 -> text(random);
            case 1 -> random.nextBoolean();
            case 2, 3 -> number(random);
            case 4 -> {
                List<Object> list = new ArrayList<>();
                for (int left = random.nextInt(4); left > 0; left--) {
                    list.add(random.nextInt(5) == 0 ? null : field(random, depth + 1));
                }
                yield list;
            }
            default -> map(random, depth + 1);
        };
    }

    private static Map<String, Object> map(Random random, int depth) {
        Map<String, Object> map = new LinkedHashMap<>();
        for (int left = random.nextInt(4); left > 0; left--) {
            map.put(text(random), random.nextInt(8) == 0 ? null : field(random, depth));
        }
        return map;
    }

    private static Fields fields(Random random) {
        return Fields.of(map(random, 1));
    }

    private static NewRecord record(Random random, int depth) {
        Map<String, List<NewRecord>> children = new LinkedHashMap<>();
        for (int left = depth < 16 ? random.nextInt(3) : 0; left > 0; left--) {
            List<NewRecord> its = new ArrayList<>();
            for (int each = random.nextInt(3); each > 0; each--) {
                its.add(record(random, random.nextInt(2) == 0 ? 16 : depth + 1));
            }
            children.put(text(random), its);
        }
        return new NewRecord(text(random), 1 + (random.nextLong() >>> 1) / 2, fields(random), children);
    }

    private static EventBody body(Random random) {
        List<Cud> cuds = new ArrayList<>();
        for (int left = random.nextInt(4); left > 0; left--) {
            long id = 1L + random.nextInt(1_000_000);
            cuds.add(
                    random.nextBoolean()
                            ? new NewRecord(text(random), id, fields(random), Map.of())
                            : new RecordUpdate(
                                    random.nextBoolean() ? Optional.of(text(random)) : Optional.empty(),
                                    id,
                                    fields(random)));
        }
        Map<Long, Long> ids = new LinkedHashMap<>();
        for (int left = random.nextInt(4); left > 0; left--) {
            ids.put(1L + random.nextInt(65_535), random.nextLong());
        }
        return new EventBody(
                Instant.ofEpochSecond(random.nextInt(), random.nextInt(1_000_000_000)),
                random.nextLong(),
                random.nextBoolean() ? Optional.of(record(random, 1)) : Optional.empty(),
                cuds,
                random.nextBoolean() ? Set.of() : Set.of(Long.MAX_VALUE, 65_536L),
                random.nextBoolean() ? Optional.empty() : Optional.of(new Request(text(random), ids)));
    }

    @Property(tries = 400)
    void decode_ofWhatIsEncoded_isTheSameWithEveryNumberExact(@ForAll long seed) {
        EventBody body = body(new Random(seed));
        EventBody read = EventBody.decode(body.encode());
        assertThat(read).isEqualTo(body);
        assertThat(read.encode()).as("in the same order").isEqualTo(body.encode());
    }

    @Property(tries = 200)
    void sorted_ofFields_saysTheSameAndForgetsTheOrder(@ForAll long seed) {
        Fields fields = fields(new Random(seed));
        List<Map.Entry<String, Object>> entries = new ArrayList<>(fields.asMap().entrySet());
        Collections.reverse(entries);
        Map<String, Object> reversed = new LinkedHashMap<>();
        entries.forEach(each -> reversed.put(each.getKey(), each.getValue()));
        assertThat(fields.sorted()).isEqualTo(fields);
        assertThat(json(Fields.of(reversed).sorted())).isEqualTo(json(fields.sorted()));
    }

    private static byte[] json(Fields fields) {
        return Json.object(out -> {
            out.writeName("fields");
            Json.writeFields(out, fields);
        });
    }

    @Property(tries = 200)
    void updated_hasEachFieldOfTheUpdateAndTheRestOfWhatWasThere(@ForAll long seed) {
        Random random = new Random(seed);
        Fields before = fields(random);
        Fields update = fields(random);
        Map<String, Object> expected = new LinkedHashMap<>(before.asMap());
        expected.putAll(update.asMap());
        assertThat(before.updated(update).asMap()).isEqualTo(expected);
        assertThat(before.updated(update).updated(update)).as("once more").isEqualTo(Fields.of(expected));
        assertThat(before.updated(Fields.empty())).isEqualTo(before);
    }

    @Property(tries = 30)
    void decode_ofBytesThatWereChanged_isUnderstoodOrRefused(@ForAll long seed) {
        Random random = new Random(seed);
        byte[] bytes = body(random).encode();
        for (int i = 0; i < 20; i++) {
            byte[] changed = bytes.clone();
            changed[random.nextInt(changed.length)] = (byte) random.nextInt();
            try {
                EventBody unused = EventBody.decode(changed);
            } catch (IllegalArgumentException e) {
                assertThat(e).hasMessageMatching("(?s).+");
            }
        }
    }

    @Example
    void numbers_atTheEndsOfWhatCanBeKept_areExact() {
        Fields fields = Fields.of(Map.of(
                "scale", new BigDecimal(BigInteger.ONE, 100_000),
                "other", new BigDecimal(BigInteger.TEN.pow(999), -100_000),
                "digits", BigInteger.TEN.pow(1_000).subtract(BigInteger.ONE),
                "zeros", new BigDecimal("1.000"),
                "exponent", new BigDecimal("1E+3"),
                "tiny", Double.MIN_VALUE,
                "tenth", 0.1f));
        assertThat(Fields.of(Json.objectOf(Json.read(json(fields)), "fields"))).isEqualTo(fields);
        assertThatThrownBy(() -> Fields.of(Map.of("n", BigInteger.TEN.pow(1_000))))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Fields.of(Map.of("n", new BigDecimal(BigInteger.TEN, Integer.MIN_VALUE))))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Fields.of(Map.of("n", Double.NaN))).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Fields.of(Map.of("n", new Object()))).isInstanceOf(IllegalArgumentException.class);
    }

    @Example
    void with_ofANameThatHasNoForm_isRefusedAsElsewhere() {
        String half = "\ud800";
        assertThatThrownBy(() -> Fields.of(Map.of(half, 1))).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Fields.empty().with(half, 1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> NewRecord.of("order", 1).with(half, 1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> NewRecord.of("order", 1).child(half, NewRecord.of("item", 2)))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Example
    void names_thatAreVeryLong_areReadAgain() {
        String name = "n".repeat(200_000);
        EventBody body = new EventBody(
                Instant.EPOCH,
                1,
                Optional.of(NewRecord.of("order", 1).with(name, 1).child(name, NewRecord.of("item", 2))),
                List.of(),
                Set.of(),
                Optional.empty());
        assertThat(EventBody.decode(body.encode())).isEqualTo(body);
    }

    /** The deepest there can be: a record at depth 16 with fields at depth 12. */
    @Example
    void trees_thatAreAsDeepAsAllowed_areReadAgain() {
        Object deep = 1L;
        for (int i = 0; i < 11; i++) {
            deep = i % 2 == 0 ? List.of(deep) : Map.of("f", deep);
        }
        NewRecord record = NewRecord.of("item", 16).with("f", deep);
        for (int i = 15; i > 0; i--) {
            record = NewRecord.of("item", i).child("items", record);
        }
        EventBody body = new EventBody(Instant.EPOCH, 1, Optional.of(record), List.of(), Set.of(), Optional.empty());
        assertThat(EventBody.decode(body.encode())).isEqualTo(body);
        Object deeper = List.of(deep);
        assertThatThrownBy(() -> Fields.empty().with("f", deeper)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Fields.of(Map.of("f", deeper))).isInstanceOf(IllegalArgumentException.class);
    }
}
