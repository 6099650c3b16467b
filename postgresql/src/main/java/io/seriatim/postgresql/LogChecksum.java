package io.seriatim.postgresql;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.seriatim.store.ApplicationRow;
import io.seriatim.store.EventHeader;
import io.seriatim.store.PartitionKey;
import io.seriatim.store.RecordRow;
import io.seriatim.store.WriterMark;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/** Checksums of rows with bodies, over their keys too: a row that is found under another key is noticed. */
final class LogChecksum {

    /*
     * CRC32C over the columns in the order of the tables, without the checksums themselves. Numbers are big-endian, in
     * the width of their columns; a text or body stands behind its length in bytes (4), a list behind its count (4).
     * But an event's header comes first, without its key: application, partition, offset, epoch, workspace, kind,
     * writer, write, and the sequences, each with its number. After it stands header_checksum, which is all that a
     * replay can look at; then key and body go into the same sum, which is checksum.
     */

    private static final int HEADER_BYTES = 60;
    private static final int NUMBER_BYTES = Integer.BYTES + Long.BYTES;

    /** What an event's row has of them. */
    record OfEvent(int header, int whole) {}

    private final CRC32C sum = new CRC32C();

    private LogChecksum() {}

    static int ofHeader(PartitionKey partition, long offset, long epoch, EventHeader header) {
        return new LogChecksum().header(partition, offset, epoch, header).value();
    }

    static OfEvent of(PartitionKey partition, long offset, long epoch, EventHeader header, byte[] body) {
        LogChecksum sum = new LogChecksum().header(partition, offset, epoch, header);
        int ofHeader = sum.value();
        return new OfEvent(ofHeader, sum.text(header.key()).bytes(body).value());
    }

    static int of(PartitionKey partition, RecordRow row) {
        ByteBuffer numbers = ByteBuffer.allocate(3 * Integer.BYTES + 4 * Long.BYTES)
                .putInt(partition.application())
                .putInt(partition.partition())
                .putLong(row.workspace())
                .putLong(row.id())
                .putInt(row.type())
                .putLong(row.plogOffset())
                .putLong(row.wlogOffset());
        return new LogChecksum().numbers(numbers).bytes(row.body()).value();
    }

    static int of(ApplicationRow row) {
        ByteBuffer state = ByteBuffer.allocate(3 * Long.BYTES).putLong(row.revision());
        put(state, row.mark());
        return new LogChecksum()
                .numbers(ByteBuffer.allocate(Integer.BYTES).putInt(row.id()))
                .text(row.name())
                .numbers(state)
                .bytes(row.body())
                .value();
    }

    private LogChecksum header(PartitionKey partition, long offset, long epoch, EventHeader header) {
        int count = header.sequences().length;
        ByteBuffer numbers = ByteBuffer.allocate(HEADER_BYTES + count * NUMBER_BYTES)
                .putInt(partition.application())
                .putInt(partition.partition())
                .putLong(offset)
                .putLong(epoch)
                .putLong(header.workspace())
                .putInt(header.kind());
        put(numbers, header.mark());
        numbers.putInt(count);
        for (int i = 0; i < count; i++) {
            numbers.putInt(header.sequences()[i]).putLong(header.values()[i]);
        }
        return numbers(numbers);
    }

    private static void put(ByteBuffer numbers, WriterMark mark) {
        numbers.putLong(mark.writer()).putLong(mark.write());
    }

    private LogChecksum numbers(ByteBuffer numbers) {
        sum.update(numbers.flip());
        return this;
    }

    private LogChecksum text(String text) {
        return bytes(text.getBytes(UTF_8));
    }

    private LogChecksum bytes(byte[] bytes) {
        sum.update(ByteBuffer.allocate(Integer.BYTES).putInt(bytes.length).flip());
        sum.update(bytes);
        return this;
    }

    private int value() {
        return (int) sum.getValue();
    }
}
