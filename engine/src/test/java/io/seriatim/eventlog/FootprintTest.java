package io.seriatim.eventlog;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.openjdk.jol.info.GraphLayout;

/** What a workspace in memory takes, with all that belongs to it. */
class FootprintTest {

    private static final int LIMIT = SequencerSettings.usual().lruCacheSize();
    private static final int PINNED = SequencerSettings.usual().maxUnflushedValues() + Numbers.MOST_SEALED;

    /** What JOL reckons of headers and fields is enough; to ask the running JVM takes it ten seconds and gives the same. */
    @BeforeAll
    static void doNotAttach() {
        System.setProperty("jol.skipDynamicAttach", "true");
        System.setProperty("jol.skipHotspotSAAttach", "true");
    }

    @Test
    void workspaceWithTwoNumbers_takesAtMost44Bytes() {
        WorkspaceCache cache = new WorkspaceCache(2, LIMIT, PINNED);
        for (long workspace = 0; workspace < 2L * LIMIT; workspace++) {
            cache.insert(workspace * 31, 0, 0);
        }
        assertThat(cache.size()).isEqualTo(LIMIT);
        assertThat((double) GraphLayout.parseInstance(cache).totalSize() / LIMIT)
                .as("bytes a workspace")
                .isBetween(32.0, 44.0);
    }

    @Test
    void workspacesThatMustStay_exceedTheLimitByWhatIsSaid() {
        WorkspaceCache cache = new WorkspaceCache(2, LIMIT, PINNED);
        for (long workspace = 0; workspace < LIMIT + PINNED; workspace++) {
            cache.setLastRow(cache.insert(workspace, 0, 0), 1);
        }
        assertThat(cache.size()).isEqualTo(LIMIT + PINNED);
        assertThat((double) GraphLayout.parseInstance(cache).totalSize() / cache.size())
                .as("bytes a workspace")
                .isLessThan(44);
    }
}
