package io.seriatim.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Tables for spreadsheets. */
class CsvTest {

    @Test
    void line_isAsRfc4180HasIt() {
        assertThat(Csv.line(List.of("a", "", "b c"))).isEqualTo("a,,b c\r\n");
        assertThat(Csv.line(List.of("a,b", "say \"no\"", "c\nd", "e\rf")))
                .isEqualTo("\"a,b\",\"say \"\"no\"\"\",\"c\nd\",\"e\rf\"\r\n");
    }

    /** A reason such as =HYPERLINK(…) must not run as a formula at the desk of whoever opens the file. */
    @Test
    void line_beginningOfAFormula_isMadeSafe() {
        assertThat(Csv.line(List.of("=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1")))
                .isEqualTo("'=1+1,'+1,'-1,'@SUM(A1),'\t=1,\"'\r=1\"\r\n");
        assertThat(Csv.line(List.of("=A1,B1"))).isEqualTo("\"'=A1,B1\"\r\n");
        assertThat(Csv.line(List.of("1-1", "a=b", "7"))).isEqualTo("1-1,a=b,7\r\n");
    }
}
