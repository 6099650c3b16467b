/**
 * Sequences whose values become durable with the transaction that used them, for who builds an engine with transactions of
 * its own: {@link io.seriatim.transaction.TransactionalSequences}.
 */
@NullMarked
package io.seriatim.transaction;

import org.jspecify.annotations.NullMarked;
