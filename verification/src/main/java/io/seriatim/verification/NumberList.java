package io.seriatim.verification;

import io.seriatim.store.NumberRows;
import java.util.ArrayList;
import java.util.List;

/** Numbers that a test writes down. */
final class NumberList implements NumberRows {

    @SuppressWarnings("ArrayRecordComponent") // compared by nobody, changed by nobody
    private record Row(long workspace, int kind, long[] numbers) {}

    private final List<Row> rows = new ArrayList<>();

    static NumberList copyOf(NumberRows rows) {
        NumberList copy = new NumberList();
        for (int row = 0; row < rows.size(); row++) {
            long[] numbers = new long[2 * rows.count(row)];
            for (int place = 0; place < rows.count(row); place++) {
                numbers[2 * place] = rows.sequence(row, place);
                numbers[2 * place + 1] = rows.value(row, place);
            }
            copy.with(rows.workspace(row), rows.kind(row), numbers);
        }
        return copy;
    }

    /** Adds a row: sequence id and number by turns. */
    NumberList with(long workspace, int kind, long... numbers) {
        rows.add(new Row(workspace, kind, numbers));
        return this;
    }

    @Override
    public int size() {
        return rows.size();
    }

    @Override
    public long workspace(int row) {
        return rows.get(row).workspace();
    }

    @Override
    public int kind(int row) {
        return rows.get(row).kind();
    }

    @Override
    public int count(int row) {
        return rows.get(row).numbers().length / 2;
    }

    @Override
    public int sequence(int row, int place) {
        return (int) rows.get(row).numbers()[2 * place];
    }

    @Override
    public long value(int row, int place) {
        return rows.get(row).numbers()[2 * place + 1];
    }
}
