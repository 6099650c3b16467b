package io.seriatim.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AcceptTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "text/plain",
                "TEXT/PLAIN",
                "text/*",
                "text/plain; charset=utf-8",
                "text/plain, */*",
                "application/*, text/plain",
                "text/plain, application/json",
                "application/json;q=0.5, text/plain",
                "text/html, text/plain;q=0.9, */*;q=0.1",
                "application/json;q=0, text/plain;q=0.1",
            })
    void prefersText_textAskedFor_isTrue(String accept) {
        assertThat(prefersText(Map.of("accept", accept))).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                ",",
                ";",
                "*/*",
                "application/json",
                "application/json, text/plain, */*",
                "text/plain;q=0",
                "text/plain;q=0.5, application/json",
                "text/plain;q=0.5, */*",
                "text/plain;q=high",
                "image/png",
                "text",
            })
    void prefersText_otherwise_isFalse(String accept) {
        assertThat(prefersText(Map.of("accept", accept))).isFalse();
    }

    @Test
    void prefersText_noHeader_isFalse() {
        assertThat(prefersText(Map.of())).isFalse();
    }

    private static boolean prefersText(Map<String, String> headers) {
        return Accept.prefersText(new Call("POST", "/", "", headers, ""));
    }
}
