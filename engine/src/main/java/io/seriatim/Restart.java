package io.seriatim;

import java.util.Optional;
import java.util.OptionalLong;

/**
 * Where a sequence goes on: at a value, behind a value, or at its start.
 *
 * @param value empty: the start of the definition
 * @param fresh true: the value itself comes next; false: it counts as just issued
 * @param reuseReason why values may be handed out a second time, as the audit trail keeps it and {@link Author#why()}
 *     has it; empty: they may not
 */
public record Restart(OptionalLong value, boolean fresh, Optional<String> reuseReason) {

    public Restart {
        if (value.isEmpty() && !fresh) {
            throw new IllegalArgumentException("a restart without a value begins at the start: fresh=false");
        }
        reuseReason.ifPresent(Author::requireWhy);
    }

    /** The start of the definition comes next. */
    public static Restart atStart() {
        return new Restart(OptionalLong.empty(), true, Optional.empty());
    }

    /** {@code value} comes next. */
    public static Restart at(long value) {
        return new Restart(OptionalLong.of(value), true, Optional.empty());
    }

    /** {@code value} counts as just issued; what follows it comes next. */
    public static Restart after(long value) {
        return new Restart(OptionalLong.of(value), false, Optional.empty());
    }

    /** Permits that values come a second time; the reason is kept in the audit trail. */
    public Restart allowingReuse(String reason) {
        return new Restart(value, fresh, Optional.of(reason));
    }
}
