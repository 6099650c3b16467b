/**
 * Applications over event logs: a command goes in, and comes out as an event in the log, as records, and as numbers that
 * its answer tells. {@link io.seriatim.eventlog.application.Applications} is where it begins.
 */
@NullMarked
package io.seriatim.eventlog.application;

import org.jspecify.annotations.NullMarked;
