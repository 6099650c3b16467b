/**
 * Reads how other products write their numbers, and says the same in our words: Virto Commerce, Odoo, Frappe and
 * Dolibarr. What cannot be said in our words is told part by part.
 */
@NullMarked
package io.seriatim.numbering.convert;

import org.jspecify.annotations.NullMarked;
