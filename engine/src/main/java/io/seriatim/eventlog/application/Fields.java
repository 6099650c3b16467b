package io.seriatim.eventlog.application;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongConsumer;
import java.util.function.LongUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * What a record holds: names and what they stand for, in the order given. Immutable.
 *
 * <p>A field is text, a number ({@code Long} or {@code BigDecimal}, exact), true or false, null, a {@link Reference}, a
 * list of these, or names with these again.
 */
public final class Fields {

    private static final int MAX_DEPTH = 12;
    private static final int MAX_DIGITS = 1_000;
    /** A number far past this has a text that cannot be read again, as its exponent has no place. */
    private static final int MAX_SCALE = 100_000;

    private static final Fields EMPTY = new Fields(Map.of());

    private final Map<String, @Nullable Object> fields;
    private final boolean hasReferences;

    private Fields(Map<String, @Nullable Object> fields) {
        this.fields = fields;
        hasReferences = hasReferences(fields);
    }

    private static boolean hasReferences(@Nullable Object field) {
        if (field instanceof Map<?, ?> map) {
            return hasReferences(map.values());
        }
        if (field instanceof Collection<?> fields) {
            for (Object each : fields) {
                if (hasReferences(each)) {
                    return true;
                }
            }
        }
        return field instanceof Reference;
    }

    public static Fields empty() {
        return EMPTY;
    }

    /**
     * Copies fields, whole numbers of any type as {@code Long} where they fit and floating ones by their shortest decimal
     * form.
     *
     * @throws IllegalArgumentException if a field is of another type, lies too deep, or is a number too long to keep
     */
    public static Fields of(Map<String, ?> fields) {
        return new Fields(copy(fields, 1));
    }

    /** The fields by name; cannot be changed. */
    public Map<String, @Nullable Object> asMap() {
        return fields;
    }

    /** These with one more, or with another content of one that is there. */
    public Fields with(String name, @Nullable Object field) {
        Map<String, @Nullable Object> more = new LinkedHashMap<>(fields);
        more.put(wellFormed(name), copied(field, 1));
        return new Fields(Collections.unmodifiableMap(more));
    }

    /** These, with each field of an update in the place of the one that is there. */
    Fields updated(Fields update) {
        Map<String, @Nullable Object> merged = new LinkedHashMap<>(fields);
        merged.putAll(update.fields);
        return new Fields(Collections.unmodifiableMap(merged));
    }

    /** The same in the order of their names, at every depth. */
    Fields sorted() {
        return fields.isEmpty() ? this : new Fields(sorted(fields));
    }

    private static Map<String, @Nullable Object> sorted(Map<String, @Nullable Object> fields) {
        Map<String, @Nullable Object> sorted = new TreeMap<>();
        fields.forEach((name, field) -> sorted.put(name, sortedField(field)));
        return Collections.unmodifiableMap(sorted);
    }

    @SuppressWarnings("unchecked") // the maps are those that copy made
    private static @Nullable Object sortedField(@Nullable Object field) {
        if (field instanceof Map<?, ?> map) {
            return sorted((Map<String, @Nullable Object>) map);
        }
        if (field instanceof List<?> list) {
            List<@Nullable Object> sorted = new ArrayList<>(list.size());
            list.forEach(each -> sorted.add(sortedField(each)));
            return sorted;
        }
        return field;
    }

    // ---- references

    void forEachReference(LongConsumer action) {
        visit(fields, action);
    }

    private static void visit(@Nullable Object field, LongConsumer action) {
        if (field instanceof Reference reference) {
            action.accept(reference.id());
        } else if (field instanceof Map<?, ?> map) {
            map.values().forEach(each -> visit(each, action));
        } else if (field instanceof List<?> list) {
            list.forEach(each -> visit(each, action));
        }
    }

    /** The same with the id of its record in the place of each reference. */
    Fields resolved(LongUnaryOperator ids) {
        return hasReferences ? new Fields(resolved(fields, ids)) : this;
    }

    private static Map<String, @Nullable Object> resolved(Map<String, @Nullable Object> fields, LongUnaryOperator ids) {
        Map<String, @Nullable Object> resolved = new LinkedHashMap<>();
        fields.forEach((name, field) -> resolved.put(name, resolvedField(field, ids)));
        return Collections.unmodifiableMap(resolved);
    }

    @SuppressWarnings("unchecked") // the maps are those that copy made
    private static @Nullable Object resolvedField(@Nullable Object field, LongUnaryOperator ids) {
        if (field instanceof Reference reference) {
            return ids.applyAsLong(reference.id());
        }
        if (field instanceof Map<?, ?> map) {
            return resolved((Map<String, @Nullable Object>) map, ids);
        }
        if (field instanceof List<?> list) {
            List<@Nullable Object> resolved = new ArrayList<>(list.size());
            list.forEach(each -> resolved.add(resolvedField(each, ids)));
            return Collections.unmodifiableList(resolved);
        }
        return field;
    }

    // ---- copies

    private static Map<String, @Nullable Object> copy(Map<?, ?> fields, int depth) {
        requireDepth(depth);
        Map<String, @Nullable Object> copy = new LinkedHashMap<>();
        fields.forEach((name, field) -> {
            if (!(name instanceof String text)) {
                throw new IllegalArgumentException("a field has a text for a name: " + name);
            }
            copy.put(wellFormed(text), copied(field, depth));
        });
        return Collections.unmodifiableMap(copy);
    }

    private static @Nullable Object copied(@Nullable Object field, int depth) {
        if (field == null || field instanceof Boolean || field instanceof Reference) {
            return field;
        }
        if (field instanceof String text) {
            return wellFormed(text);
        }
        if (field instanceof Number number) {
            return number(number);
        }
        if (field instanceof Map<?, ?> map) {
            return copy(map, depth + 1);
        }
        if (field instanceof List<?> list) {
            requireDepth(depth + 1);
            List<@Nullable Object> copy = new ArrayList<>(list.size());
            list.forEach(each -> copy.add(copied(each, depth + 1)));
            return Collections.unmodifiableList(copy);
        }
        throw new IllegalArgumentException(
                "a field cannot be kept: type=" + field.getClass().getName());
    }

    private static void requireDepth(int depth) {
        if (depth > MAX_DEPTH) {
            throw new IllegalArgumentException("fields lie at most " + MAX_DEPTH + " deep");
        }
    }

    /** Half a surrogate pair has no UTF-8 form. */
    static String wellFormed(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (Character.isSurrogate(c)) {
                boolean isPair = Character.isHighSurrogate(c)
                        && i + 1 < text.length()
                        && Character.isLowSurrogate(text.charAt(i + 1));
                if (!isPair) {
                    throw new IllegalArgumentException("text must not hold half a surrogate pair: at index " + i);
                }
                i++;
            }
        }
        return text;
    }

    private static Object number(Number number) {
        if (number instanceof Long || number instanceof Integer || number instanceof Short || number instanceof Byte) {
            return number.longValue();
        }
        BigDecimal exact = decimal(number);
        if (exact.precision() > MAX_DIGITS || Math.abs((long) exact.scale()) > MAX_SCALE) {
            throw new IllegalArgumentException("a number has at most " + MAX_DIGITS
                    + " digits, and an exponent of at most " + MAX_SCALE + " either way");
        }
        if (exact.scale() == 0 && exact.unscaledValue().bitLength() < Long.SIZE) {
            return exact.longValueExact();
        }
        return exact;
    }

    private static BigDecimal decimal(Number number) {
        if (number instanceof BigDecimal decimal) {
            return decimal;
        }
        if (number instanceof BigInteger whole) {
            return new BigDecimal(whole);
        }
        if (number instanceof Double || number instanceof Float) {
            try {
                return new BigDecimal(number.toString());
            } catch (NumberFormatException e) {
                throw new IllegalArgumentException("a number is finite: " + number, e);
            }
        }
        throw new IllegalArgumentException(
                "a field cannot be kept: type=" + number.getClass().getName());
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Fields that && fields.equals(that.fields);
    }

    @Override
    public int hashCode() {
        return fields.hashCode();
    }

    @Override
    public String toString() {
        return "Fields" + fields;
    }
}
