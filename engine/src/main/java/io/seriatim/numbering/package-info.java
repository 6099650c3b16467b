/**
 * Numbers: the printed text of values. A {@link io.seriatim.numbering.FormatDefinition} says how they look and when
 * a counter starts again; a {@link io.seriatim.numbering.NumberFormat} is such a definition, checked; its
 * {@link io.seriatim.numbering.Occasion}s print. Nothing here reads a clock or needs a store.
 */
@NullMarked
package io.seriatim.numbering;

import org.jspecify.annotations.NullMarked;
