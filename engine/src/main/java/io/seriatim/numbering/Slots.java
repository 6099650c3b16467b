package io.seriatim.numbering;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.IntStream;

/**
 * The texts of a layout as places for one character each: which characters a place takes, what they mean there, and
 * which places may follow. A text is a path from a first place to a last one (Glushkov's automaton).
 */
final class Slots {

    /** What a character means that says nothing of the number: a literal's, a check's. */
    static final int NOTHING = 0;

    private final List<CharacterSet> sets = new ArrayList<>();
    private final List<Integer> meanings = new ArrayList<>();
    private final List<Integer> fields = new ArrayList<>();
    private final List<List<Integer>> followers = new ArrayList<>();
    private final List<Integer> first = new ArrayList<>();
    private List<Integer> ends = List.of();

    private final Map<String, Integer> names;

    /**
     * Of some fields of a layout, in their order.
     *
     * @param names numbers for meanings, grown here; two layouts that are compared share them
     */
    Slots(Layout layout, List<Field> someFields, Map<String, Integer> names) {
        this(someFields, names, field -> field.chains(layout));
    }

    /** The same with texts of one's own choice. */
    Slots(List<Field> someFields, Map<String, Integer> names, Function<Field, List<Field.Chain>> chains) {
        this.names = names;
        for (int i = 0; i < someFields.size(); i++) {
            add(someFields, i, chains.apply(someFields.get(i)));
        }
    }

    private void add(List<Field> all, int index, List<Field.Chain> chains) {
        List<Integer> nextEnds = new ArrayList<>();
        for (Field.Chain chain : chains) {
            List<Integer> before = ends;
            for (int i = 0; i < chain.sets().size(); i++) {
                int slot = place(chain.sets().get(i), meaning(all, index, i), index);
                if (index == 0 && i == 0) {
                    first.add(slot);
                }
                before.forEach(end -> followers.get(end).add(slot));
                before = List.of(slot);
                if (i + 1 >= chain.least()) {
                    nextEnds.add(slot);
                }
            }
        }
        ends = nextEnds;
    }

    private int place(CharacterSet set, int meaning, int field) {
        sets.add(set);
        meanings.add(meaning);
        fields.add(field);
        followers.add(new ArrayList<>());
        return sets.size() - 1;
    }

    /**
     * Equal for two places only if a character there tells the same of the number, whatever else is printed: a digit
     * of the value, a certain digit of a date part, a character of the same printing of a scope.
     */
    private int meaning(List<Field> all, int index, int digit) {
        String name = null;
        if (all.get(index) instanceof Field.Counter counter) {
            name = "seq " + counter.alphabet();
        } else if (all.get(index) instanceof Field.Dated dated) {
            name = dated.part() + " " + digit;
        } else if (all.get(index) instanceof Field.Scoped scoped) {
            long printings = IntStream.range(0, index)
                    .filter(i -> all.get(i) instanceof Field.Scoped other
                            && other.name().equals(scoped.name()))
                    .count();
            name = "scope " + scoped.name() + " " + printings;
        }
        return name == null ? NOTHING : names.computeIfAbsent(name, n -> names.size() + 1);
    }

    int count() {
        return sets.size();
    }

    CharacterSet set(int slot) {
        return sets.get(slot);
    }

    int meaning(int slot) {
        return meanings.get(slot);
    }

    /** The index of the field that a place belongs to. */
    int field(int slot) {
        return fields.get(slot);
    }

    List<Integer> first() {
        return first;
    }

    List<Integer> followers(int slot) {
        return followers.get(slot);
    }

    boolean isLast(int slot) {
        return ends.contains(slot);
    }

    /** For each character of a text the index of its field; nothing if it is no text of the layout. */
    Optional<List<Integer>> fieldsOf(String text) {
        if (text.isEmpty()) {
            return Optional.empty();
        }
        List<BitSet> reached = new ArrayList<>();
        BitSet possible = new BitSet();
        first.forEach(possible::set);
        for (int c : text.codePoints().toArray()) {
            BitSet here = new BitSet();
            possible.stream().filter(slot -> sets.get(slot).contains(c)).forEach(here::set);
            reached.add(here);
            BitSet next = new BitSet();
            here.stream().forEach(slot -> followers.get(slot).forEach(next::set));
            possible = next;
        }
        return walkBack(reached);
    }

    private Optional<List<Integer>> walkBack(List<BitSet> reached) {
        List<Integer> path = new ArrayList<>();
        BitSet wanted = new BitSet();
        ends.forEach(wanted::set);
        for (int i = reached.size() - 1; i >= 0; i--) {
            wanted.and(reached.get(i));
            int slot = wanted.nextSetBit(0);
            if (slot < 0) {
                return Optional.empty();
            }
            path.add(0, fields.get(slot));
            BitSet before = new BitSet();
            IntStream.range(0, count())
                    .filter(s -> followers.get(s).contains(slot))
                    .forEach(before::set);
            wanted = before;
        }
        return Optional.of(path);
    }
}
