package io.seriatim.verification;

import io.seriatim.store.HeaderVisitor;
import io.seriatim.store.LogEvent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/** Writes down the headers that it is shown. */
final class HeaderList implements HeaderVisitor {

    /** What a replay says of an event; the numbers as text. */
    record Shown(long offset, long epoch, long workspace, int kind, long writer, long write, String numbers) {

        static Shown of(LogEvent event) {
            return new Shown(
                    event.offset(),
                    event.epoch(),
                    event.header().workspace(),
                    event.header().kind(),
                    event.header().mark().writer(),
                    event.header().mark().write(),
                    text(event.header().sequences(), event.header().values()));
        }
    }

    private final List<Shown> shown = new ArrayList<>();

    List<Shown> shown() {
        return List.copyOf(shown);
    }

    @Override
    public void header(
            long offset,
            long epoch,
            long workspace,
            int kind,
            long writer,
            long write,
            int count,
            int[] sequences,
            long[] values) {
        String numbers = text(Arrays.copyOf(sequences, count), Arrays.copyOf(values, count));
        shown.add(new Shown(offset, epoch, workspace, kind, writer, write, numbers));
    }

    private static String text(int[] sequences, long[] values) {
        return IntStream.range(0, sequences.length)
                .mapToObj(i -> sequences[i] + "=" + values[i])
                .toList()
                .toString();
    }
}
