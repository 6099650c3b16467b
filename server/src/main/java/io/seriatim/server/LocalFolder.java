package io.seriatim.server;

import io.seriatim.SequenceDefinition;
import io.seriatim.Sequences;
import io.seriatim.rocksdb.RocksDbStore;
import io.seriatim.store.StoreException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Answers calls out of a data folder of this machine, which no other process may have open meanwhile. */
final class LocalFolder implements Target {

    private static final Logger LOG = LoggerFactory.getLogger(LocalFolder.class);

    private final Path folder;

    LocalFolder(Path folder) {
        this.folder = folder;
    }

    @Override
    public Reply send(Call call) {
        if (!call.method().equals("PUT") && !Files.exists(folder)) {
            throw new Refusal(Problem.notFound("there is no data folder " + folder));
        }
        Sequences sequences = open(folder);
        try {
            return new Api(sequences, SequenceDefinition.ascending()).answer(call);
        } finally {
            close(sequences);
        }
    }

    /** What was answered stands, also where the end is not clean. */
    private static void close(Sequences sequences) {
        try {
            sequences.close();
        } catch (StoreException e) {
            LOG.warn("the folder could not be closed; unused values are skipped", e);
        }
    }

    /**
     * Opens the sequences in a folder.
     *
     * @throws Refusal if that cannot be done, with what the one at the keyboard has to know
     */
    static Sequences open(Path folder) {
        try {
            return Sequences.on(RocksDbStore.open(folder));
        } catch (StoreException e) {
            String said = String.valueOf(e.getMessage());
            throw new Refusal(
                    switch (e.kind()) {
                        case IN_USE -> Problem.busy(said + "; if a server has it open, give its address with --server");
                        case UNAVAILABLE, FAILED -> Problem.unavailable(said);
                        case CORRUPT -> Problem.corrupt(said);
                    });
        }
    }
}
