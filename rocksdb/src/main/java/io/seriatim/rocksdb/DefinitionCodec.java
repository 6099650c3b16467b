package io.seriatim.rocksdb;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.seriatim.store.DefinitionRow;
import io.seriatim.store.WriterMark;
import java.time.Instant;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;

/** Definition rows as bytes. */
final class DefinitionCodec {

    /*
     * key      the folded name in UTF-8: the order of keys is the order of a listing
     *
     * value    offset  size
     *          0       2     version and kind, see RowFormat
     *          2       8     sequence id
     *          10      8     generation, from 1
     *          18      8     revision, from 1
     *          26      1     dropped: 0 or 1
     *          27      12    created: seconds since 1970 (8), nanoseconds (4)
     *          39      12    modified: the same
     *          51      16    mark: writer (8), write (8)
     *          67      4+a   name: length in bytes, UTF-8
     *          .       4     number of options
     *          .       4+b   option: length, UTF-8   } once for each option,
     *          .       4+c   its text: length, UTF-8 } in rising order of the option
     *          .       4     checksum
     */

    private DefinitionCodec() {}

    static byte[] key(String foldedName) {
        byte[] key = foldedName.getBytes(UTF_8);
        if (key.length > RowFormat.MAX_KEY_TEXT_BYTES) {
            throw new IllegalArgumentException(
                    "a name must not be longer than " + RowFormat.MAX_KEY_TEXT_BYTES + " bytes: it has " + key.length);
        }
        return key;
    }

    static byte[] key(DefinitionRow row) {
        return key(row.foldedName());
    }

    static byte[] value(byte[] key, DefinitionRow row) {
        RowWriter writer = new RowWriter()
                .putByte(RowFormat.VERSION)
                .putByte(RowFormat.DEFINITION)
                .putLong(row.sequenceId())
                .putLong(row.generation())
                .putLong(row.revision())
                .putByte(row.dropped() ? 1 : 0)
                .putInstant(row.created())
                .putInstant(row.modified())
                .putMark(row.mark())
                .putText("name", row.name())
                .putInt(row.options().size());
        row.options().forEach((option, text) -> writer.putText("option", option).putText(option, text));
        return writer.toValue(key);
    }

    static DefinitionRow decode(byte[] key, byte[] value) throws CorruptRowException {
        RowReader reader = RowReader.ofValue(key, value, RowFormat.DEFINITION);
        long sequenceId = reader.getLong();
        long generation = reader.getLong();
        long revision = reader.getLong();
        boolean dropped = reader.getFlag();
        Instant created = reader.getInstant();
        Instant modified = reader.getInstant();
        WriterMark mark = reader.getMark();
        String name = reader.getText();
        Map<String, String> options = options(reader);
        reader.end();
        DefinitionRow row;
        try {
            row = new DefinitionRow(name, sequenceId, generation, revision, options, dropped, created, modified, mark);
        } catch (IllegalArgumentException e) {
            throw new CorruptRowException("no such row is possible: " + e.getMessage(), e);
        }
        if (!Arrays.equals(key, key(row))) {
            throw new CorruptRowException("it belongs to the name " + name);
        }
        return row;
    }

    private static Map<String, String> options(RowReader reader) throws CorruptRowException {
        int count = reader.getInt();
        TreeMap<String, String> options = new TreeMap<>();
        for (int i = 0; i < count; i++) {
            String option = reader.getText();
            if (!options.isEmpty() && options.lastKey().compareTo(option) >= 0) {
                throw new CorruptRowException("its options are not in order at " + option);
            }
            options.put(option, reader.getText());
        }
        if (count < 0) {
            throw new CorruptRowException("it has " + count + " options");
        }
        return options;
    }
}
