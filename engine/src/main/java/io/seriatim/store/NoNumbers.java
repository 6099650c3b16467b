package io.seriatim.store;

/** No rows. */
record NoNumbers() implements NumberRows {

    @Override
    public int size() {
        return 0;
    }

    @Override
    public long workspace(int row) {
        throw new IndexOutOfBoundsException(row);
    }

    @Override
    public int kind(int row) {
        throw new IndexOutOfBoundsException(row);
    }

    @Override
    public int count(int row) {
        throw new IndexOutOfBoundsException(row);
    }

    @Override
    public int sequence(int row, int place) {
        throw new IndexOutOfBoundsException(row);
    }

    @Override
    public long value(int row, int place) {
        throw new IndexOutOfBoundsException(row);
    }
}
