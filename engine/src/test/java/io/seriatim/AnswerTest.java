package io.seriatim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.seriatim.store.IdempotencyKey;
import io.seriatim.store.IdempotencyRow;
import io.seriatim.store.WriterMark;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The kept answers of requests with a key. */
final class AnswerTest {

    private static IdempotencyRow row(String text) {
        return new IdempotencyRow(new IdempotencyKey(7, "", "k"), text, Instant.EPOCH, new WriterMark(1, 1));
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "RESERVED")
    void text_parsed_isTheSame(Shape shape) {
        Answer answer = new Answer(shape, 3, RequestNote.NONE, new Draw(2, 1, List.of(new Block(-5, -2, 3))));
        assertThat(answer.text()).endsWith(" 3; generation 2; round 1; -5 -2 x3");
        assertThat(Answer.in(row(answer.text()))).isEqualTo(answer);
    }

    @Test
    void text_ofAReservation_isTheSame() {
        Draw draw = new Draw(2, 0, List.of(new Block(5, 1, 1)));
        Answer answer = new Answer(Shape.RESERVED, 1, RequestNote.NONE, draw);
        assertThat(answer.text()).isEqualTo("reserve 1; generation 2; round 0; 5 1 x1");
        assertThat(Answer.in(row(answer.text()))).isEqualTo(answer);
    }

    /** What a request says beside is its own business: it may hold our separators. */
    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "RESERVED")
    void text_withANote_isTheSame(Shape shape) {
        RequestNote note = new RequestNote("s=a; note b for c", "1 at 2026-07-09T10:11:12Z; ä");
        Answer answer = new Answer(shape, 3, note, new Draw(2, 1, List.of(new Block(-5, -2, 3))));
        assertThat(Answer.in(row(answer.text()))).isEqualTo(answer);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "next 3",
                "next 3; generation 1; round 0",
                "next 3; generation 1; round 0; 17 1 x2",
                "next 3; generation 1; round 0; 17 1 x3; ",
                "next 3; generation 1; round 0; 17 1 x3 x",
                "next 3; generation 1; round 0; 17 1 y3",
                "next 3; generation 1; round 0; 17 +1 x3",
                "next 3; generation 0; round 0; 17 1 x3",
                "next 3; generation 1; round -1; 17 1 x3",
                "next 3; round 0; generation 1; 17 1 x3",
                "next x; generation 1; round 0; 17 1 x3",
                "last 3; generation 1; round 0; 17 1 x3",
                "run 3; generation 1; round 0; 17 1 x2; 1 1 x1",
                "block 3; generation 1; round 0; 17 1 x4",
                "block 3; generation 1; round 0; 17 1 x1; 1 1 x1",
            })
    void in_textThatNobodyWrites_isCorrupt(String text) {
        assertThatThrownBy(() -> Answer.in(row(text)))
                .isInstanceOfSatisfying(
                        StoreUnavailableException.class,
                        e -> assertThat(e.code()).isEqualTo(ErrorCode.STORE_CORRUPT))
                .hasMessage("the stored answer of key k is not understood");
    }
}
