package io.seriatim.server;

/** How many columns of a terminal text takes, as well as can be told without the terminal. */
final class Columns {

    /** First and last of each run of characters that take two columns: East Asian wide ones and pictures. */
    private static final int[] WIDE = {
        0x1100, 0x115f, 0x231a, 0x231b, 0x2e80, 0x303e, 0x3041, 0x33ff, 0x3400, 0x4dbf, 0x4e00, 0xa4cf, 0xa960, 0xa97f,
        0xac00, 0xd7a3, 0xf900, 0xfaff, 0xfe30, 0xfe6f, 0xff00, 0xff60, 0xffe0, 0xffe6, 0x1f300, 0x1f64f, 0x1f680,
        0x1f6ff, 0x1f900, 0x1f9ff, 0x20000, 0x3fffd
    };

    private Columns() {}

    static int of(String text) {
        return text.codePoints().map(Columns::of).sum();
    }

    private static int of(int codePoint) {
        return switch (Character.getType(codePoint)) {
            case Character.NON_SPACING_MARK, Character.ENCLOSING_MARK, Character.FORMAT -> 0;
            default -> isWide(codePoint) ? 2 : 1;
        };
    }

    private static boolean isWide(int codePoint) {
        for (int i = 0; i < WIDE.length; i += 2) {
            if (WIDE[i] <= codePoint && codePoint <= WIDE[i + 1]) {
                return true;
            }
        }
        return false;
    }
}
