/** What measures: JMH benchmarks and load drivers. */
@NullMarked
package io.seriatim.benchmarks;

import org.jspecify.annotations.NullMarked;
