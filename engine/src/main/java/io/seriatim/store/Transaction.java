package io.seriatim.store;

/**
 * A transaction of the user, as the engine sees it: something to hand on to the store that it is of, which alone knows
 * what it is. The user begins, commits and aborts it; the engine never does.
 *
 * <p>Used by one thread at a time.
 */
public interface Transaction {}
