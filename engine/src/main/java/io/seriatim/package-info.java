/**
 * Sequences: definitions, the numbers they hand out, and what each contract promises. Begin at
 * {@link io.seriatim.Sequences}.
 */
@NullMarked
package io.seriatim;

import org.jspecify.annotations.NullMarked;
