package io.seriatim.rocksdb;

/** What all rows of this store have in common. */
final class RowFormat {

    /*
     * Numbers are big-endian, texts are UTF-8. A value of every kind and version begins and ends alike:
     *
     *     offset   size
     *     0        1     format version, 1
     *     1        1     kind: 0 header, 1 definition, 2 counter, 3 ledger, 4 idempotency; of event logs:
     *                    5 partition, 6 event, 7 headers, 8 workspace event, 9 record, 10 registry, 11 numbers,
     *                    12 application, 13 key, 14 skipped; of transactions: 15 sequence, 16 put, 17 catalogue
     *     2        n     body, one picture in each codec
     *     2 + n    4     CRC32C over the bytes of the key, then bytes 0 to 2 + n - 1 of the value
     *
     * The checksum covers the key, so that a row found under another key is noticed. It is looked at before
     * the version: of damaged bytes nothing is believed, not even that a newer program wrote them.
     *
     * A key of counters, ledger and idempotency is prefix-free: each text stands behind its length, so no key
     * is the beginning of another and two different keys never have the same bytes. A key of event logs begins
     * with application (4) and, but for the applications themselves, partition (4). Those of one kind have one length,
     * or end with one text behind a part of one length. A key of transactions has one length or is one text.
     */

    static final int VERSION = 1;
    static final int PREFIX_BYTES = 2;
    static final int CHECKSUM_BYTES = 4;

    /** What two bytes of length can say. */
    static final int MAX_KEY_TEXT_BYTES = 0xFFFF;

    /** So that no single row can fill a memtable. */
    static final int MAX_TEXT_BYTES = 1 << 20;

    static final int HEADER = 0;
    static final int DEFINITION = 1;
    static final int COUNTER = 2;
    static final int LEDGER = 3;
    static final int IDEMPOTENCY = 4;
    static final int PARTITION = 5;
    static final int EVENT = 6;
    static final int HEADERS = 7;
    static final int WORKSPACE_EVENT = 8;
    static final int RECORD = 9;
    static final int REGISTRY = 10;
    static final int NUMBERS = 11;
    static final int APPLICATION = 12;
    static final int KEY = 13;
    static final int SKIPPED = 14;

    static final int SEQUENCE = 15;
    static final int PUT = 16;
    static final int CATALOGUE = 17;

    private RowFormat() {}
}
