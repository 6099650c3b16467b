/**
 * The event log: a {@link io.seriatim.eventlog.Sequencer} gives events their offsets and the numbers that they use, and
 * gives none of them twice, through crashes and second owners.
 */
@NullMarked
package io.seriatim.eventlog;

import org.jspecify.annotations.NullMarked;
