package io.seriatim.server;

import io.seriatim.server.Access.Role;
import java.util.List;
import java.util.Set;

/**
 * Who makes a call, and what they may do.
 *
 * @param name of the token; {@code -} where none is asked for
 * @param names of the sequences for which an allocator may take numbers: each is a name, or the beginning of names
 *     with {@code *} behind it; empty for all
 */
record Caller(String name, Set<Role> roles, List<String> names) {

    /** Where no tokens are set, and on the command line of a store: everything is allowed. */
    static final Caller ANYONE = new Caller("-", Set.of(Role.OPERATOR), List.of());

    boolean may(Access access, String sequence) {
        return switch (access) {
            case NOBODY_ASKED -> true;
            case VIEW -> roles.contains(Role.VIEWER) || roles.contains(Role.OPERATOR);
            case ALLOCATE -> roles.contains(Role.OPERATOR) || roles.contains(Role.ALLOCATOR) && isNamed(sequence);
            case OPERATE -> roles.contains(Role.OPERATOR);
        };
    }

    private boolean isNamed(String sequence) {
        return names.isEmpty() || names.stream().anyMatch(pattern -> fits(pattern, sequence));
    }

    private static boolean fits(String pattern, String sequence) {
        return pattern.endsWith("*")
                ? sequence.startsWith(pattern.substring(0, pattern.length() - 1))
                : sequence.equals(pattern);
    }
}
