/** A store on PostgreSQL: readable tables, one conditional write a statement. */
@NullMarked
package io.seriatim.postgresql;

import org.jspecify.annotations.NullMarked;
