package io.seriatim.server;

import java.util.Set;

/** What a call needs leave for. */
enum Access {
    /** Whether the server lives: the one who asks may not have a token. */
    NOBODY_ASKED,
    VIEW,
    ALLOCATE,
    OPERATE;

    /** Whom a token is for. */
    enum Role {
        VIEWER,
        ALLOCATOR,
        OPERATOR
    }

    private static final Set<String> HEALTH = Set.of("/health/live", "/health/ready");

    private static final Set<String> ALLOCATING = Set.of(
            "/v1/sequences/{name}/next",
            "/v1/sequences/{name}/blocks",
            "/v1/sequences/{name}/reservations",
            "/v1/sequences/{name}/reservations/{id}/confirm",
            "/v1/sequences/{name}/reservations/{id}/cancel",
            "/v1/logs/{log}/workspaces/{wsid}/events");

    /** Whatever is not known to need less is for operators: a new route is closed until somebody opens it here. */
    static Access needed(String method, String route) {
        if (isOpen(route)) {
            return NOBODY_ASKED;
        }
        if (method.equals("GET")) {
            return VIEW;
        }
        return method.equals("POST") && ALLOCATING.contains(route) ? ALLOCATE : OPERATE;
    }

    static boolean isOpen(String path) {
        return HEALTH.contains(path);
    }
}
