package io.seriatim.rocksdb;

import io.seriatim.store.CatalogueRow;
import java.util.Map;
import java.util.TreeMap;

/** Transactional sequences with names, as bytes. */
final class CatalogueCodec {

    /*
     * key      offset  size
     *          0       a     name, UTF-8; the order of keys is that of code points
     *
     * value    offset  size
     *          0       2     version and kind, see RowFormat
     *          2       8     id of the sequence
     *          10      4     number of options
     *          .       4+b   option: length, UTF-8      } for each option,
     *          .       4+c   its text: length, UTF-8    } in rising order
     *          .       4     checksum
     */

    private static final int LEAST_OPTION_BYTES = 2 * Integer.BYTES;

    private CatalogueCodec() {}

    static byte[] key(String name) {
        return new RowWriter().putRest("name", name).toKey();
    }

    static byte[] value(byte[] key, CatalogueRow row) {
        RowWriter writer = new RowWriter()
                .putByte(RowFormat.VERSION)
                .putByte(RowFormat.CATALOGUE)
                .putLong(row.sequenceId())
                .putInt(row.options().size());
        row.options().forEach((option, text) -> writer.putText("option", option).putText(option, text));
        return writer.toValue(key);
    }

    static CatalogueRow decode(byte[] key, byte[] value) throws CorruptRowException {
        RowReader reader = RowReader.ofValue(key, value, RowFormat.CATALOGUE);
        long id = reader.getLong();
        int count = reader.getCount(LEAST_OPTION_BYTES);
        Map<String, String> options = new TreeMap<>();
        for (int i = 0; i < count; i++) {
            options.put(reader.getText(), reader.getText());
        }
        reader.end();
        try {
            return new CatalogueRow(RowReader.ofKey(key).getRest(), id, options);
        } catch (IllegalArgumentException e) {
            throw new CorruptRowException("no such row is possible: " + e.getMessage(), e);
        }
    }
}
