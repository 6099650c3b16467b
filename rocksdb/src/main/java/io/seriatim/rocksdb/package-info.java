/** The store on RocksDB, a key-value engine that runs inside the process. */
@NullMarked
package io.seriatim.rocksdb;

import org.jspecify.annotations.NullMarked;
