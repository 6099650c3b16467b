package io.seriatim.server;

/**
 * Which kind of call it was, with names left open: what one may count by, however many names there are.
 *
 * @param path as it was added, with parts in braces: {@code /v1/sequences/{name}/next}
 */
record Route(String method, String path) {

    /** Of every call that fits none. */
    static final Route OTHER = new Route("other", "other");
}
