/** What checks the promises: histories, simulation, crashes and the contract of a store. */
@NullMarked
package io.seriatim.verification;

import org.jspecify.annotations.NullMarked;
