/** The stores that keep everything in memory: for tests, and for numbers that may start again with the process. */
@NullMarked
package io.seriatim.memory;

import org.jspecify.annotations.NullMarked;
