package io.seriatim;

/**
 * The limit is reached and the sequence does not cycle. Nothing was consumed: after the limit is moved, the
 * very next value comes. Code {@link ErrorCode#EXHAUSTED}. Final.
 */
public final class SequenceExhaustedException extends SequenceException {

    private static final long serialVersionUID = 1;

    private final String name;
    private final String limit;
    private final long limitValue;

    SequenceExhaustedException(String name, String limit, long limitValue) {
        super(ErrorCode.EXHAUSTED, "sequence " + name + " has reached its " + limit + ": " + limit + "=" + limitValue);
        this.name = name;
        this.limit = limit;
        this.limitValue = limitValue;
    }

    @Override
    SequenceException again() {
        return causing(new SequenceExhaustedException(name, limit, limitValue));
    }

    /** The option that ends the sequence: {@code max} or {@code min}. */
    public String limit() {
        return limit;
    }

    /** The value of that option. */
    public long limitValue() {
        return limitValue;
    }
}
