/**
 * The ports: what the engine asks of a store, and the rows that cross the border. Depends on nothing else
 * of Seriatim. All arithmetic stays in the engine; a store keeps rows, compares revisions and forces.
 */
@NullMarked
package io.seriatim.store;

import org.jspecify.annotations.NullMarked;
