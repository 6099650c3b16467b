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
 * @param who makes it, as the audit trail keeps it: the name, or the user of the system on the command line of a store
 */
record Caller(String name, Set<Role> roles, List<String> names, String who) {

    /** Where no tokens are set, and on the command line of a store: everything is allowed. */
    static final Caller ANYONE = new Caller("-", Set.of(Role.OPERATOR), List.of());

    /** Whom nobody has asked for a token. */
    static final Caller UNKNOWN = new Caller("-", Set.of(), List.of());

    private static final int MAX_USER = 100;

    /** One who is known by the name alone. */
    Caller(String name, Set<Role> roles, List<String> names) {
        this(name, roles, names, name);
    }

    /** The one at the keyboard of a store, by the name that the system knows. What no audit entry can hold becomes ?. */
    static Caller atKeyboard(String user) {
        String plain = user.replaceAll("[\\p{Cc}\\p{Cs}]", "?");
        String who = plain.codePoints()
                .limit(MAX_USER)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
        return new Caller(ANYONE.name(), ANYONE.roles(), ANYONE.names(), who);
    }

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
