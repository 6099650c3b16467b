package io.seriatim.numbering;

/**
 * A number that was handed out.
 *
 * @param value of the counter of its period and scope
 * @param text the number as it is printed
 * @param period whose counter it is of
 */
public record PrintedNumber(long value, String text, Period period) {}
