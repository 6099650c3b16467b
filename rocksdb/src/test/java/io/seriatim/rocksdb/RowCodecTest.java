package io.seriatim.rocksdb;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.seriatim.store.ApplicationRow;
import io.seriatim.store.CatalogueRow;
import io.seriatim.store.Checkpoint;
import io.seriatim.store.CounterKey;
import io.seriatim.store.CounterRow;
import io.seriatim.store.DefinitionRow;
import io.seriatim.store.EventHeader;
import io.seriatim.store.IdempotencyKey;
import io.seriatim.store.IdempotencyRow;
import io.seriatim.store.KeyRow;
import io.seriatim.store.LedgerRow;
import io.seriatim.store.LogEvent;
import io.seriatim.store.PartitionKey;
import io.seriatim.store.RecordRow;
import io.seriatim.store.RegistryRow;
import io.seriatim.store.SkippedRow;
import io.seriatim.store.VersionedValue;
import io.seriatim.store.WorkspaceEvent;
import io.seriatim.store.WriterMark;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.zip.CRC32C;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

final class RowCodecTest {

    /** A codec's way from bytes to a row. */
    private interface Decoder {
        Object decode(byte[] key, byte[] value) throws CorruptRowException;
    }

    // ---- there and back

    @Property(tries = 100)
    void counter_anyRow_comesBack(@ForAll("counters") CounterRow row) throws CorruptRowException {
        byte[] key = CounterCodec.key(row.key());
        byte[] value = CounterCodec.value(key, row);
        assertThat(CounterCodec.decode(key, value)).isEqualTo(row);
        assertEveryFlipIsNoticed(key, value, CounterCodec::decode);
        assertEveryCutIsNoticed(key, value, CounterCodec::decode);
    }

    @Property(tries = 100)
    void definition_anyRow_comesBack(@ForAll("definitions") DefinitionRow row) throws CorruptRowException {
        byte[] key = DefinitionCodec.key(row);
        byte[] value = DefinitionCodec.value(key, row);
        assertThat(DefinitionCodec.decode(key, value)).isEqualTo(row);
        assertEveryFlipIsNoticed(key, value, DefinitionCodec::decode);
        assertEveryCutIsNoticed(key, value, DefinitionCodec::decode);
    }

    @Property(tries = 100)
    void ledger_anyRow_comesBack(@ForAll("ledgerRows") LedgerRow row) throws CorruptRowException {
        byte[] key = LedgerCodec.key(row);
        byte[] value = LedgerCodec.value(key, row);
        assertThat(LedgerCodec.decode(key, value)).isEqualTo(row);
        assertEveryFlipIsNoticed(key, value, LedgerCodec::decode);
        assertEveryCutIsNoticed(key, value, LedgerCodec::decode);
    }

    @Property(tries = 100)
    void idempotency_anyRow_comesBack(@ForAll("answers") IdempotencyRow row) throws CorruptRowException {
        byte[] key = IdempotencyCodec.key(row.key());
        byte[] value = IdempotencyCodec.value(key, row);
        assertThat(IdempotencyCodec.decode(key, value)).isEqualTo(row);
        assertEveryFlipIsNoticed(key, value, IdempotencyCodec::decode);
        assertEveryCutIsNoticed(key, value, IdempotencyCodec::decode);
    }

    @Property(tries = 50)
    void header_anyId_comesBack(@ForAll long high, @ForAll long low) throws CorruptRowException {
        StoreHeader first = StoreHeader.first(new UUID(high, low));
        StoreHeader restored = first.restored(new UUID(low, high), Optional.of(Instant.ofEpochSecond(high >> 32)));
        for (StoreHeader header : List.of(
                first,
                restored,
                first.restored(new UUID(low, high), Optional.empty()),
                restored.in(StoreHeader.State.SERVING),
                first.in(StoreHeader.State.MOVED))) {
            byte[] value = HeaderCodec.value(header);
            assertThat(HeaderCodec.decode(value)).isEqualTo(header);
            assertEveryFlipIsNoticed(HeaderCodec.key(), value, (key, bytes) -> HeaderCodec.decode(bytes));
        }
    }

    /** Flips one bit after another of the value, then of the key. */
    private static void assertEveryFlipIsNoticed(byte[] key, byte[] value, Decoder decoder) {
        for (long bit = 0; bit < value.length * 8L; bit++) {
            byte[] flipped = StoreFiles.flipped(value, bit);
            assertThatThrownBy(() -> decoder.decode(key, flipped))
                    .as("bit %d of the value", bit)
                    .isInstanceOf(CorruptRowException.class);
        }
        if (!Arrays.equals(key, HeaderCodec.key())) {
            for (long bit = 0; bit < key.length * 8L; bit++) {
                byte[] flipped = StoreFiles.flipped(key, bit);
                assertThatThrownBy(() -> decoder.decode(flipped, value))
                        .as("bit %d of the key", bit)
                        .isInstanceOf(CorruptRowException.class);
            }
        }
    }

    private static void assertEveryCutIsNoticed(byte[] key, byte[] value, Decoder decoder) {
        for (int length = 0; length < value.length; length++) {
            byte[] cut = Arrays.copyOf(value, length);
            assertThatThrownBy(() -> decoder.decode(key, cut)).isInstanceOf(CorruptRowException.class);
        }
    }

    // ---- keys

    @Property
    void counterKeys_differ_whereCountersDo(
            @ForAll("counterKeys") CounterKey one, @ForAll("counterKeys") CounterKey other) {
        assertPrefixFree(one.equals(other), CounterCodec.key(one), CounterCodec.key(other));
    }

    @Property
    void idempotencyKeys_differ_whereRequestsDo(
            @ForAll("requests") IdempotencyKey one, @ForAll("requests") IdempotencyKey other) {
        assertPrefixFree(one.equals(other), IdempotencyCodec.key(one), IdempotencyCodec.key(other));
    }

    /** Equal rows have equal keys; of two others neither is the beginning of the other. */
    private static void assertPrefixFree(boolean equal, byte[] one, byte[] other) {
        int length = Math.min(one.length, other.length);
        assertThat(Arrays.equals(one, 0, length, other, 0, length)).isEqualTo(equal);
    }

    @Property
    void ledgerKeys_areInOrderOfTheirIndex(@ForAll("indexes") long one, @ForAll("indexes") long other) {
        CounterKey counter = new CounterKey(7, "s", "2026");
        assertThat(Integer.signum(
                        Arrays.compareUnsigned(LedgerCodec.key(counter, one), LedgerCodec.key(counter, other))))
                .isEqualTo(Long.compare(one, other));
    }

    @Test
    void keys_textsTooLong_areRefused() {
        String fits = "x".repeat(65_535);
        CounterCodec.key(new CounterKey(1, fits, fits));
        DefinitionCodec.key(fits);
        String tooLong = fits + "x";
        assertThatThrownBy(() -> CounterCodec.key(new CounterKey(1, tooLong, "")))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> CounterCodec.key(new CounterKey(1, "", tooLong)))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> IdempotencyCodec.key(new IdempotencyKey(1, tooLong, "")))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> DefinitionCodec.key(tooLong)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void values_textsTooLong_areRefused() {
        LedgerRow fits = new LedgerRow(CounterKey.of(1), 1, "x".repeat(1 << 20));
        LedgerCodec.value(LedgerCodec.key(fits), fits);
        LedgerRow tooLong = new LedgerRow(CounterKey.of(1), 1, fits.entry() + "x");
        assertThatThrownBy(() -> LedgerCodec.value(LedgerCodec.key(tooLong), tooLong))
                .isInstanceOf(IllegalArgumentException.class);
    }

    // ---- the bytes themselves: what is on disk today must be read by every later version

    @Test
    void counter_bytes_areAsDrawn() {
        byte[] key = CounterCodec.key(new CounterKey(0x0102030405060708L, "é", "2026"));
        assertThat(hex(key)).isEqualTo("0102030405060708" + "0002" + "c3a9" + "0004" + "32303236");
        CounterRow row = new CounterRow(
                new CounterKey(0x0102030405060708L, "é", "2026"), 2, 3, -2, true, 4, new WriterMark(5, 6), "é 1", "é2");
        byte[] value = CounterCodec.value(key, row);
        assertThat(hex(value))
                .startsWith("01" + "02" + "0000000000000002" + "0000000000000003" + "fffffffffffffffe" + "01"
                        + "0000000000000004" + "0000000000000005" + "0000000000000006"
                        + "00000004" + "c3a92031" + "00000003" + "c3a932")
                .hasSize(2 * 70);
        CRC32C crc = new CRC32C();
        crc.update(key);
        crc.update(value, 0, 66);
        assertThat(ByteBuffer.wrap(value).getInt(66)).isEqualTo((int) crc.getValue());
    }

    @Test
    void definition_bytes_areAsDrawn() {
        DefinitionRow row = new DefinitionRow(
                "Ab",
                1,
                2,
                3,
                Map.of("b", "2", "a", ""),
                true,
                Instant.ofEpochSecond(-1, 5),
                Instant.ofEpochSecond(256),
                new WriterMark(4, 5));
        assertThat(hex(DefinitionCodec.key(row))).isEqualTo("6162");
        assertThat(hex(DefinitionCodec.value(DefinitionCodec.key(row), row)))
                .startsWith("01" + "01" + "0000000000000001" + "0000000000000002" + "0000000000000003" + "01"
                        + "ffffffffffffffff" + "00000005" + "0000000000000100" + "00000000" + "0000000000000004"
                        + "0000000000000005" + "00000002" + "4162" + "00000002" + "00000001" + "61" + "00000000"
                        + "00000001" + "62" + "00000001" + "32")
                .hasSize(2 * 100);
    }

    @Test
    void ledger_bytes_areAsDrawn() {
        LedgerRow row = new LedgerRow(new CounterKey(1, "", "x"), 0x1234, "hi");
        assertThat(hex(LedgerCodec.key(row)))
                .isEqualTo("0000000000000001" + "0000" + "0001" + "78" + "0000000000001234");
        assertThat(hex(LedgerCodec.value(LedgerCodec.key(row), row)))
                .startsWith("01" + "03" + "00000002" + "6869")
                .hasSize(2 * 12);
    }

    @Test
    void idempotency_bytes_areAsDrawn() {
        IdempotencyRow row = new IdempotencyRow(
                new IdempotencyKey(1, "c", "k"), "hi", Instant.ofEpochSecond(16, 1), new WriterMark(2, 3));
        assertThat(hex(IdempotencyCodec.key(row.key()))).isEqualTo("0000000000000001" + "0001" + "63" + "0001" + "6b");
        assertThat(hex(IdempotencyCodec.value(IdempotencyCodec.key(row.key()), row)))
                .startsWith("01" + "04" + "0000000000000010" + "00000001" + "0000000000000002" + "0000000000000003"
                        + "00000002" + "6869")
                .hasSize(2 * 40);
    }

    @Test
    void header_bytes_areAsDrawn() {
        assertThat(hex(HeaderCodec.key())).isEqualTo(hex("seriatim".getBytes(US_ASCII)));
        StoreHeader first = StoreHeader.first(new UUID(1, 2));
        assertThat(hex(HeaderCodec.value(first)))
                .startsWith("01" + "00" + "0000000000000001" + "0000000000000002")
                .hasSize(2 * 22);
        assertThat(hex(HeaderCodec.value(first.restored(new UUID(3, 4), Optional.of(Instant.ofEpochSecond(5))))))
                .startsWith("01" + "00" + "0000000000000001" + "0000000000000002" + "0000000000000002"
                        + "0000000000000003" + "0000000000000004" + "01" + "0000000000000005")
                .hasSize(2 * 55);
    }

    // ---- bytes with a right checksum that are still wrong

    @Test
    void decode_anotherVersion_saysWhich() {
        byte[] key = CounterCodec.key(CounterKey.of(7));
        byte[] value = CounterCodec.value(key, Rows.counter(7, 1));
        value[0] = 2;
        assertThatThrownBy(() -> CounterCodec.decode(key, sealed(key, value)))
                .isInstanceOf(CorruptRowException.class)
                .hasMessageContaining("version 2");
    }

    @Test
    void decode_anotherKind_saysWhich() {
        byte[] key = CounterCodec.key(CounterKey.of(7));
        byte[] value = CounterCodec.value(key, Rows.counter(7, 1));
        value[1] = 4;
        assertThatThrownBy(() -> CounterCodec.decode(key, sealed(key, value)))
                .isInstanceOf(CorruptRowException.class)
                .hasMessageContaining("kind 4");
    }

    @Test
    void decode_impossibleCounters_areRefused() {
        byte[] key = CounterCodec.key(CounterKey.of(7));
        byte[] good = CounterCodec.value(key, Rows.counter(7, 1));
        for (int[] offsetAndByte : new int[][] {{9, 0}, {10, 0x80}, {26, 2}, {34, 0}}) {
            byte[] value = good.clone();
            value[offsetAndByte[0]] = (byte) offsetAndByte[1];
            assertThatThrownBy(() -> CounterCodec.decode(key, sealed(key, value)))
                    .as("byte %d", offsetAndByte[0])
                    .isInstanceOf(CorruptRowException.class);
        }
        byte[] longer = Arrays.copyOf(good, good.length + 1);
        assertThatThrownBy(() -> CounterCodec.decode(key, sealed(key, longer)))
                .isInstanceOf(CorruptRowException.class)
                .hasMessageContaining("behind its end");
    }

    @Test
    void decode_definitionUnderTheNameOfAnother_isRefused() {
        DefinitionRow row =
                new DefinitionRow("ab", 1, 1, 1, Map.of(), false, Instant.EPOCH, Instant.EPOCH, new WriterMark(1, 1));
        byte[] other = DefinitionCodec.key("ac");
        byte[] value = DefinitionCodec.value(other, row);
        assertThatThrownBy(() -> DefinitionCodec.decode(other, value))
                .isInstanceOf(CorruptRowException.class)
                .hasMessageContaining("ab");
    }

    /** The value with a checksum that fits it. */
    private static byte[] sealed(byte[] key, byte[] value) {
        CRC32C crc = new CRC32C();
        crc.update(key);
        crc.update(value, 0, value.length - 4);
        return ByteBuffer.wrap(value.clone())
                .putInt(value.length - 4, (int) crc.getValue())
                .array();
    }

    private static String hex(byte[] bytes) {
        return HexFormat.of().formatHex(bytes);
    }

    // ---- any row

    @Provide
    Arbitrary<CounterRow> counters() {
        Arbitrary<Long> fromOne = Arbitraries.longs().greaterOrEqual(1);
        return Combinators.combine(
                        counterKeys(),
                        fromOne,
                        Arbitraries.longs().greaterOrEqual(0),
                        Arbitraries.longs(),
                        Arbitraries.of(true, false),
                        fromOne,
                        marks(),
                        texts().tuple2())
                .as((key, generation, round, value, fresh, revision, mark, texts) -> new CounterRow(
                        key, generation, round, value, fresh, revision, mark, texts.get1(), texts.get2()))
                .withoutEdgeCases();
    }

    @Provide
    Arbitrary<DefinitionRow> definitions() {
        Arbitrary<Long> fromOne = Arbitraries.longs().greaterOrEqual(1);
        return Combinators.combine(
                        texts().filter(name -> !name.isEmpty()),
                        Arbitraries.longs(),
                        fromOne,
                        fromOne,
                        Arbitraries.maps(texts(), texts()).ofMaxSize(4),
                        Arbitraries.of(true, false),
                        Combinators.combine(instants(), instants()).as(Map::entry),
                        marks())
                .as((name, id, generation, revision, options, dropped, times, mark) -> new DefinitionRow(
                        name, id, generation, revision, options, dropped, times.getKey(), times.getValue(), mark))
                .withoutEdgeCases();
    }

    @Provide
    Arbitrary<LedgerRow> ledgerRows() {
        return Combinators.combine(counterKeys(), indexes(), texts())
                .as(LedgerRow::new)
                .withoutEdgeCases();
    }

    @Provide
    Arbitrary<IdempotencyRow> answers() {
        return Combinators.combine(requests(), texts(), instants(), marks())
                .as(IdempotencyRow::new)
                .withoutEdgeCases();
    }

    /** Few letters and few ids, so that keys that are nearly equal are common. */
    @Provide
    Arbitrary<CounterKey> counterKeys() {
        return Combinators.combine(ids(), shortTexts(), shortTexts())
                .as(CounterKey::new)
                .withoutEdgeCases();
    }

    @Provide
    Arbitrary<IdempotencyKey> requests() {
        return Combinators.combine(ids(), shortTexts(), shortTexts())
                .as(IdempotencyKey::new)
                .withoutEdgeCases();
    }

    @Provide
    Arbitrary<Long> indexes() {
        return Arbitraries.longs().greaterOrEqual(1);
    }

    private static Arbitrary<Long> ids() {
        return Arbitraries.oneOf(Arbitraries.of(0L, 1L, 256L, -1L), Arbitraries.longs());
    }

    private static Arbitrary<String> shortTexts() {
        return Arbitraries.oneOf(
                Arbitraries.strings().withChars('\1', '\2', 'a', 'b').ofMaxLength(3), texts());
    }

    private static Arbitrary<String> texts() {
        return Arbitraries.strings().all().ofMaxLength(12).filter(RowCodecTest::isWellFormed);
    }

    private static boolean isWellFormed(String text) {
        return text.codePoints()
                .noneMatch(point -> point == 0 || point >= Character.MIN_SURROGATE && point <= Character.MAX_SURROGATE);
    }

    // ---- event logs

    @Test
    void event_bytes_areAsDrawn() throws CorruptRowException {
        LogEvent event = new LogEvent(
                0x1234,
                5,
                new EventHeader(-2, 3, new WriterMark(6, 7), "é", new int[] {1, 9}, new long[] {10, 11}),
                new byte[] {1, 2});
        byte[] key = EventCodec.key(new PartitionKey(1, 2), 0x1234);
        assertThat(hex(key)).isEqualTo("00000001" + "00000002" + "0000000000001234");
        byte[] value = EventCodec.value(key, event);
        assertThat(hex(value))
                .startsWith("01" + "06" + "0000000000000005" + "fffffffffffffffe" + "00000003" + "0000000000000006"
                        + "0000000000000007" + "00000002" + "c3a9" + "00000002" + "00000001" + "000000000000000a"
                        + "00000009" + "000000000000000b" + "00000002" + "0102")
                .hasSize(2 * 82);
        assertThat(EventCodec.decode(key, value)).isEqualTo(event);
        assertEveryFlipIsNoticed(key, value, EventCodec::decode);
        assertEveryCutIsNoticed(key, value, EventCodec::decode);
    }

    @Test
    void headers_bytes_areAsDrawn() throws CorruptRowException {
        PartitionKey partition = new PartitionKey(1, 2);
        EventHeader header = new EventHeader(-2, 3, new WriterMark(6, 7), "k", new int[] {9}, new long[] {11});
        EventHeader without = new EventHeader(4, 8, new WriterMark(6, 8), "", new int[0], new long[0]);
        List<HeadersCodec.Entry> entries = List.of(
                HeadersCodec.entry(new LogEvent(0x1234, 5, header, new byte[1])),
                HeadersCodec.entry(new LogEvent(0x1236, 5, without, new byte[1])));
        List<EncodedChange.Row> rows = HeadersCodec.rows(partition, entries);
        assertThat(rows).hasSize(1);
        byte[] key = rows.get(0).key();
        byte[] value = rows.get(0).value();
        assertThat(hex(key)).isEqualTo("00000001" + "00000002" + "0000000000001234");
        assertThat(hex(value))
                .startsWith("01" + "07" + "00000002" + "0000000000001234" + "0000000000000005" + "fffffffffffffffe"
                        + "00000003" + "0000000000000006" + "0000000000000007" + "00000001" + "00000009"
                        + "000000000000000b" + "0000000000001236" + "0000000000000005" + "0000000000000004"
                        + "00000008" + "0000000000000006" + "0000000000000008" + "00000000")
                .hasSize(2 * 118);
        assertThat(HeadersCodec.decode(key, value))
                .extracting(HeadersCodec.Entry::offset)
                .containsExactly(0x1234L, 0x1236L);
        assertEveryFlipIsNoticed(key, value, HeadersCodec::decode);
        assertEveryCutIsNoticed(key, value, HeadersCodec::decode);
    }

    /** So that no row of headers fills a block cache; one event alone may. */
    @Test
    void headers_moreThanARowShouldHold_areSplit() {
        List<HeadersCodec.Entry> entries =
                LogRows.events(1, 2_000).stream().map(HeadersCodec::entry).toList();
        List<EncodedChange.Row> rows = HeadersCodec.rows(LogRows.KEY, entries);
        assertThat(rows)
                .hasSizeGreaterThan(2)
                .allSatisfy(row -> assertThat(row.value()).hasSizeLessThan((64 << 10) + 10));
    }

    @Test
    void partition_bytes_areAsDrawn() throws CorruptRowException {
        byte[] key = PartitionCodec.key(new PartitionKey(1, 2), PartitionCodec.CHECKPOINT);
        assertThat(hex(key)).isEqualTo("00000001" + "00000002" + "02");
        byte[] value = PartitionCodec.value(key, 42, 3);
        assertThat(hex(value))
                .startsWith("01" + "05" + "000000000000002a" + "0000000000000003")
                .hasSize(2 * 22);
        assertThat(PartitionCodec.decode(key, value)).isEqualTo(new Checkpoint(42, 3));
        assertEveryFlipIsNoticed(key, value, PartitionCodec::decode);
        assertEveryCutIsNoticed(key, value, PartitionCodec::decode);
    }

    @Test
    void numbers_bytes_areAsDrawn() throws CorruptRowException {
        NumbersCodec.Row row = new NumbersCodec.Row(3);
        row.raise(9, 11);
        row.raise(1, 10);
        byte[] key = NumbersCodec.key(new PartitionKey(1, 2), -2);
        assertThat(hex(key)).isEqualTo("00000001" + "00000002" + "fffffffffffffffe");
        byte[] value = NumbersCodec.value(key, row);
        assertThat(hex(value))
                .startsWith("01" + "0b" + "00000003" + "00000002" + "00000001" + "000000000000000a" + "00000009"
                        + "000000000000000b")
                .hasSize(2 * 38);
        NumbersCodec.Row back = NumbersCodec.decode(key, value);
        assertThat(back.kind()).isEqualTo(3);
        assertThat(back.value(1)).isEqualTo(10);
        assertThat(back.value(2)).isZero();
        assertThat(back.value(9)).isEqualTo(11);
        assertEveryFlipIsNoticed(key, value, NumbersCodec::decode);
        assertEveryCutIsNoticed(key, value, NumbersCodec::decode);
    }

    @Test
    void workspaceEvent_bytes_areAsDrawn() throws CorruptRowException {
        WorkspaceEvent row = new WorkspaceEvent(-2, 3, 4);
        byte[] key = WorkspaceEventCodec.key(new PartitionKey(1, 2), -2, 3);
        assertThat(hex(key)).isEqualTo("00000001" + "00000002" + "fffffffffffffffe" + "0000000000000003");
        byte[] value = WorkspaceEventCodec.value(key, row);
        assertThat(hex(value)).startsWith("01" + "08" + "0000000000000004").hasSize(2 * 14);
        assertThat(WorkspaceEventCodec.decode(key, value)).isEqualTo(row);
        assertEveryFlipIsNoticed(key, value, WorkspaceEventCodec::decode);
        assertEveryCutIsNoticed(key, value, WorkspaceEventCodec::decode);
    }

    @Test
    void record_bytes_areAsDrawn() throws CorruptRowException {
        RecordRow row = new RecordRow(-2, 3, 4, 5, 6, new byte[] {7, 8});
        byte[] key = RecordCodec.key(new PartitionKey(1, 2), -2, 3);
        assertThat(hex(key)).isEqualTo("00000001" + "00000002" + "fffffffffffffffe" + "0000000000000003");
        byte[] value = RecordCodec.value(key, row);
        assertThat(hex(value))
                .startsWith("01" + "09" + "00000004" + "0000000000000005" + "0000000000000006" + "00000002" + "0708")
                .hasSize(2 * 32);
        assertThat(RecordCodec.decode(key, value)).isEqualTo(row);
        assertEveryFlipIsNoticed(key, value, RecordCodec::decode);
        assertEveryCutIsNoticed(key, value, RecordCodec::decode);
    }

    @Test
    void registry_bytes_areAsDrawn() throws CorruptRowException {
        RegistryRow row = new RegistryRow(-2, 3, 4, 5);
        byte[] key = RegistryCodec.key(new PartitionKey(1, 2), -2, 3);
        assertThat(hex(key)).isEqualTo("00000001" + "00000002" + "fffffffffffffffe" + "0000000000000003");
        byte[] value = RegistryCodec.value(key, row);
        assertThat(hex(value))
                .startsWith("01" + "0a" + "00000004" + "0000000000000005")
                .hasSize(2 * 18);
        assertThat(RegistryCodec.decode(key, value)).isEqualTo(row);
        assertEveryFlipIsNoticed(key, value, RegistryCodec::decode);
        assertEveryCutIsNoticed(key, value, RegistryCodec::decode);
    }

    @Test
    void application_bytes_areAsDrawn() throws CorruptRowException {
        ApplicationRow row = new ApplicationRow(0x102, "é", 3, new WriterMark(6, 7), new byte[] {8, 9});
        byte[] key = ApplicationCodec.key(0x102);
        assertThat(hex(key)).isEqualTo("00000102");
        byte[] value = ApplicationCodec.value(key, row);
        assertThat(hex(value))
                .startsWith("01" + "0c" + "0000000000000003" + "0000000000000006" + "0000000000000007" + "00000002"
                        + "c3a9" + "00000002" + "0809")
                .hasSize(2 * 42);
        assertThat(ApplicationCodec.decode(key, value)).isEqualTo(row);
        assertEveryFlipIsNoticed(key, value, ApplicationCodec::decode);
        assertEveryCutIsNoticed(key, value, ApplicationCodec::decode);
    }

    @Test
    void key_bytes_areAsDrawn() throws CorruptRowException {
        KeyRow row = new KeyRow(-2, "é 1", 4);
        byte[] key = KeyCodec.key(new PartitionKey(1, 2), -2, "é 1");
        assertThat(hex(key)).isEqualTo("00000001" + "00000002" + "fffffffffffffffe" + "c3a92031");
        byte[] value = KeyCodec.value(key, row);
        assertThat(hex(value)).startsWith("01" + "0d" + "0000000000000004").hasSize(2 * 14);
        assertThat(KeyCodec.decode(key, value)).isEqualTo(row);
        assertEveryFlipIsNoticed(key, value, KeyCodec::decode);
        assertEveryCutIsNoticed(key, value, KeyCodec::decode);
    }

    @Test
    void skipped_bytes_areAsDrawn() throws CorruptRowException {
        SkippedRow row = new SkippedRow(3, "é", "ann", "no", -5);
        byte[] key = SkippedCodec.key(new PartitionKey(1, 2), 3, "é");
        assertThat(hex(key)).isEqualTo("00000001" + "00000002" + "0000000000000003" + "c3a9");
        byte[] value = SkippedCodec.value(key, row);
        assertThat(hex(value))
                .startsWith("01" + "0e" + "fffffffffffffffb" + "00000003" + "616e6e" + "00000002" + "6e6f")
                .hasSize(2 * 27);
        assertThat(SkippedCodec.decode(key, value)).isEqualTo(row);
        assertEveryFlipIsNoticed(key, value, SkippedCodec::decode);
        assertEveryCutIsNoticed(key, value, SkippedCodec::decode);
    }

    @Test
    void sequence_bytes_areAsDrawn() throws CorruptRowException {
        SequenceCodec.Row row = new SequenceCodec.Row(0x102, true, "é");
        byte[] key = SequenceCodec.key(0x102);
        assertThat(hex(key)).isEqualTo("0000000000000102");
        byte[] value = SequenceCodec.value(key, row);
        assertThat(hex(value))
                .startsWith("01" + "0f" + "01" + "00000002" + "c3a9")
                .hasSize(2 * 13);
        assertThat(SequenceCodec.decode(key, value)).isEqualTo(row);
        assertEveryFlipIsNoticed(key, value, SequenceCodec::decode);
        assertEveryCutIsNoticed(key, value, SequenceCodec::decode);
    }

    @Test
    void put_bytes_areAsDrawn() throws CorruptRowException {
        byte[] key = PutCodec.key(1, 2, new WriterMark(3, 4));
        assertThat(hex(key))
                .isEqualTo("0000000000000001" + "0000000000000002" + "0000000000000003" + "0000000000000004");
        byte[] value = PutCodec.value(key, -2);
        assertThat(hex(value)).startsWith("01" + "10" + "fffffffffffffffe").hasSize(2 * 14);
        assertThat(PutCodec.decode(key, value))
                .isEqualTo(new PutCodec.Row(1, new VersionedValue(2, -2), new WriterMark(3, 4)));
        assertEveryFlipIsNoticed(key, value, PutCodec::decode);
        assertEveryCutIsNoticed(key, value, PutCodec::decode);
    }

    @Test
    void catalogue_bytes_areAsDrawn() throws CorruptRowException {
        CatalogueRow row = new CatalogueRow("é", 7, Map.of("max", "9"));
        byte[] key = CatalogueCodec.key("é");
        assertThat(hex(key)).isEqualTo("c3a9");
        byte[] value = CatalogueCodec.value(key, row);
        assertThat(hex(value))
                .startsWith("01" + "11" + "0000000000000007" + "00000001" + "00000003" + "6d6178" + "00000001" + "39")
                .hasSize(2 * 30);
        assertThat(CatalogueCodec.decode(key, value)).isEqualTo(row);
        assertEveryFlipIsNoticed(key, value, CatalogueCodec::decode);
        assertEveryCutIsNoticed(key, value, CatalogueCodec::decode);
    }

    /** Rows whose checksum is right and that no store was ever given. */
    @Test
    void decode_impossibleRowsOfTransactions_areRefused() {
        byte[] key = SequenceCodec.key(0);
        assertRefused(key, SequenceCodec.value(key, new SequenceCodec.Row(0, false, "")), SequenceCodec::decode);
        byte[] ofZero = PutCodec.key(1, 0, new WriterMark(1, 1));
        assertRefused(ofZero, PutCodec.value(ofZero, 1), PutCodec::decode);
        byte[] nameless = new byte[0];
        assertRefused(
                nameless, CatalogueCodec.value(nameless, new CatalogueRow("a", 1, Map.of())), CatalogueCodec::decode);
    }

    /** Rows whose checksum is right and that no store was ever given. */
    @Test
    void decode_impossibleRowsOfEventLogs_areRefused() {
        byte[] key = ApplicationCodec.key(1);
        byte[] application =
                ApplicationCodec.value(key, new ApplicationRow(1, "a", 1, new WriterMark(1, 1), new byte[0]));
        application[9] = 0;
        assertRefused(key, application, ApplicationCodec::decode);
        byte[] ofZero = ApplicationCodec.key(0);
        application[9] = 1;
        assertRefused(ofZero, application, ApplicationCodec::decode);
        byte[] ofKey = KeyCodec.key(new PartitionKey(1, 2), 1, "k");
        byte[] keyed = KeyCodec.value(ofKey, new KeyRow(1, "k", 1));
        keyed[9] = 0;
        assertRefused(ofKey, keyed, KeyCodec::decode);
        byte[] skipped = SkippedCodec.value(ofKey, new SkippedRow(1, "k", "", "", 1));
        assertRefused(SkippedCodec.key(new PartitionKey(1, 2), 0, "k"), skipped, SkippedCodec::decode);
    }

    private static void assertRefused(byte[] key, byte[] value, Storage.Decoder<?> decoder) {
        assertThatThrownBy(() -> decoder.decode(key, sealed(key, value)))
                .isInstanceOf(CorruptRowException.class)
                .hasMessageContaining("no such row is possible");
    }

    private static Arbitrary<Instant> instants() {
        return Combinators.combine(
                        Arbitraries.longs().between(Instant.MIN.getEpochSecond(), Instant.MAX.getEpochSecond()),
                        Arbitraries.longs().between(0, 999_999_999))
                .as(Instant::ofEpochSecond);
    }

    private static Arbitrary<WriterMark> marks() {
        return Combinators.combine(Arbitraries.longs(), Arbitraries.longs()).as(WriterMark::new);
    }
}
