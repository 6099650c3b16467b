package io.seriatim;

import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What a sequence should be, option by option; what is left out gets SQL's default for its direction.
 * Immutable: each option returns a new definition. The options are checked together when a sequence is
 * defined or altered, none takes effect if one is bad, and the error names it.
 *
 * <p>The same type says what an {@link Sequence#alter} changes: only the options named change.
 */
public final class SequenceDefinition {

    static final String CONTRACT = "contract";
    static final String TYPE = "type";
    static final String START = "start";
    static final String MIN = "min";
    static final String MAX = "max";
    static final String INCREMENT = "increment";
    static final String CYCLE = "cycle";
    static final String CACHE = "cache";
    static final String WARN_AT = "warnAt";
    static final String AUTO = "auto";
    /** What the names of a format's options begin with; what they mean is the format's business. */
    static final String FORMAT = "format.";

    private static final List<String> NAMES =
            List.of(CONTRACT, TYPE, START, MIN, MAX, INCREMENT, CYCLE, CACHE, WARN_AT);
    private static final Pattern FORMAT_OPTION = Pattern.compile("format\\.[A-Za-z0-9._-]{1,100}");
    private static final Pattern INTEGER = Pattern.compile("-?[0-9]+");
    private static final SequenceDefinition NOTHING = new SequenceDefinition(Map.of());

    /** Text by option name; an option that is named without text is wished back to its default. */
    private final Map<String, Optional<String>> options;

    private SequenceDefinition(Map<String, Optional<String>> options) {
        this.options = Collections.unmodifiableMap(options);
    }

    /** Upwards from 1 by 1 to the end of the type. */
    public static SequenceDefinition ascending() {
        return NOTHING;
    }

    /** Downwards from -1 by 1 to the end of the type. */
    public static SequenceDefinition descending() {
        return NOTHING.increment(-1);
    }

    /** Names no option: the beginning of a change for {@link Sequence#alter}. */
    public static SequenceDefinition changes() {
        return NOTHING;
    }

    /** The options of a map by name, as {@link #with} reads each. */
    static SequenceDefinition of(Map<String, String> options) {
        SequenceDefinition definition = NOTHING;
        for (Map.Entry<String, String> option : options.entrySet()) {
            definition = definition.with(option.getKey(), option.getValue());
        }
        return definition;
    }

    /** The names of all options, in the order in which they are shown. */
    public static List<String> optionNames() {
        return NAMES;
    }

    /** What the sequence promises; default {@link Contract#FAST}. */
    public SequenceDefinition contract(Contract contract) {
        return put(CONTRACT, contract.text());
    }

    /** Bounds min and max; default {@link ValueType#BIGINT}. */
    public SequenceDefinition type(ValueType type) {
        return put(TYPE, type.text());
    }

    /** The first value; default min upwards, max downwards. */
    public SequenceDefinition start(long start) {
        return put(START, Long.toString(start));
    }

    /** The least value; default 1 upwards, the type's least downwards. */
    public SequenceDefinition min(long min) {
        return put(MIN, Long.toString(min));
    }

    /** The greatest value; default the type's greatest upwards, -1 downwards. */
    public SequenceDefinition max(long max) {
        return put(MAX, Long.toString(max));
    }

    /** From one value to the next: not 0; default 1. */
    public SequenceDefinition increment(long increment) {
        return put(INCREMENT, Long.toString(increment));
    }

    /** Whether the other end follows the limit; default no: the limit is an error. */
    public SequenceDefinition cycle(boolean cycle) {
        return put(CYCLE, Boolean.toString(cycle));
    }

    /** The size of a block, at least 1; for contract fast only. Default {@link #cacheAuto()}. */
    public SequenceDefinition cache(long cache) {
        return put(CACHE, Long.toString(cache));
    }

    /** Blocks sized by the rate at which values are taken. */
    public SequenceDefinition cacheAuto() {
        return put(CACHE, AUTO);
    }

    /**
     * How many values may be left before it is warned, at least 1; not with cycle, which does not end. Default: never.
     * It changes nothing of what is handed out: {@link Sequences#warnings()}.
     */
    public SequenceDefinition warnAt(long remaining) {
        return put(WARN_AT, Long.toString(remaining));
    }

    /**
     * Sets one option from text, as JSON, environment and command line have it.
     *
     * @param option one of {@link #optionNames()}, or an option of a format with {@code format.} before it
     * @param text null: back to the default
     * @throws BadDefinitionException if there is no such option, or the text cannot be one of its values
     *     (BAD_OPTION), or a number is beyond 64 bits (OUT_OF_RANGE); final
     */
    public SequenceDefinition with(String option, @Nullable String text) {
        if (FORMAT_OPTION.matcher(option).matches()) {
            return put(option, text);
        }
        if (!NAMES.contains(option)) {
            throw new BadDefinitionException(ErrorCode.BAD_OPTION, option, "there is no option " + option);
        }
        SequenceDefinition changed = put(option, text);
        switch (option) {
            case CONTRACT -> changed.contract();
            case TYPE -> changed.type();
            case CYCLE -> changed.cycle();
            case CACHE -> changed.cache();
            default -> changed.number(option);
        }
        return changed;
    }

    /**
     * The same with every option decided.
     *
     * @throws BadDefinitionException if an option is bad, naming it; final
     */
    public SequenceDefinition resolved() {
        return Definition.of(this).asWish();
    }

    /**
     * This definition, with every option decided, after a change.
     *
     * @throws BadDefinitionException if an option is bad, naming it; final
     */
    public SequenceDefinition resolvedWith(SequenceDefinition changes) {
        return Definition.of(this).altered(changes).asWish();
    }

    /** The options that are named and not wished back to their default, as text by name. */
    public Map<String, String> options() {
        Map<String, String> named = new TreeMap<>();
        options.forEach((name, text) -> text.ifPresent(value -> named.put(name, value)));
        return Collections.unmodifiableMap(named);
    }

    /** Whether the option is named with a value of its own. */
    boolean gives(String option) {
        return text(option).isPresent();
    }

    /** The options of the format that are named, with their texts; empty: back to the default. */
    Map<String, Optional<String>> formatOptions() {
        Map<String, Optional<String>> named = new TreeMap<>(options);
        named.keySet().removeIf(name -> !name.startsWith(FORMAT));
        return named;
    }

    boolean names(String option) {
        return options.containsKey(option);
    }

    Optional<Contract> contract() {
        return text(CONTRACT).map(text -> {
            for (Contract contract : Contract.values()) {
                if (contract.text().equals(text)) {
                    return contract;
                }
            }
            throw notOneOf(CONTRACT, text, "\"fast\" or \"ordered\"");
        });
    }

    Optional<ValueType> type() {
        return text(TYPE).map(text -> {
            for (ValueType type : ValueType.values()) {
                if (type.text().equals(text)) {
                    return type;
                }
            }
            throw notOneOf(TYPE, text, "\"smallint\", \"integer\" or \"bigint\"");
        });
    }

    Optional<Boolean> cycle() {
        return text(CYCLE).map(text -> switch (text) {
            case "true" -> true;
            case "false" -> false;
            default -> throw notOneOf(CYCLE, text, "true or false");
        });
    }

    /** Empty for auto. */
    OptionalLong cache() {
        return text(CACHE).filter(AUTO::equals).isPresent() ? OptionalLong.empty() : number(CACHE);
    }

    OptionalLong number(String option) {
        Optional<String> text = text(option);
        return text.isEmpty() ? OptionalLong.empty() : OptionalLong.of(parse(option, text.get()));
    }

    /** Reads a decimal integer exactly; {@code option} is named in the error. */
    static long parse(String option, String text) {
        if (!INTEGER.matcher(text).matches()) {
            throw new BadDefinitionException(
                    ErrorCode.BAD_OPTION, option, option + " must be a decimal integer: " + option + "=" + shown(text));
        }
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException e) {
            throw new BadDefinitionException(
                    ErrorCode.OUT_OF_RANGE, option, option + " is beyond 64 bits: " + option + "=" + shown(text));
        }
    }

    private static String shown(String text) {
        return text.length() <= 40 ? text : text.substring(0, 40) + "… (" + text.length() + " characters)";
    }

    private static BadDefinitionException notOneOf(String option, String text, String allowed) {
        return new BadDefinitionException(
                ErrorCode.BAD_OPTION, option, option + " must be " + allowed + ": " + option + "=" + shown(text));
    }

    private Optional<String> text(String option) {
        return Objects.requireNonNullElse(options.get(option), Optional.empty());
    }

    private SequenceDefinition put(String option, @Nullable String text) {
        Map<String, Optional<String>> changed = new HashMap<>(options);
        changed.put(option, Optional.ofNullable(text));
        return new SequenceDefinition(changed);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof SequenceDefinition that && options.equals(that.options);
    }

    @Override
    public int hashCode() {
        return options.hashCode();
    }

    @Override
    public String toString() {
        return options().toString();
    }
}
