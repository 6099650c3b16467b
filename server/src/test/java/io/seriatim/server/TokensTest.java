package io.seriatim.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.seriatim.server.Access.Role;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TokensTest {

    private static final String ELSE = "2222222222222222222222222222222222222222222222222222222222222222";
    private static final SecureRandom RANDOM = new SecureRandom();

    private static Tokens read(String text) {
        return Tokens.read(Path.of("tokens"), text.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void fresh_isKnownByItsLineAndOnlyByItself() {
        Tokens.Fresh shop = Tokens.fresh(RANDOM, "shop", "allocator", List.of("shop-*", "orders"));
        Tokens.Fresh till = Tokens.fresh(RANDOM, "till", "viewer,allocator", List.of());
        assertThat(shop.line()).doesNotContain(shop.token());
        Tokens tokens = read("# who may call\n\n" + shop.line() + "\r\n" + till.line());

        Caller found = tokens.find("Bearer " + shop.token()).orElseThrow();
        assertThat(found.name()).isEqualTo("shop");
        assertThat(tokens.find("bearer " + till.token()).map(Caller::name)).hasValue("till");
        for (String other : List.of(
                "",
                "Bearer ",
                "Bearer",
                shop.token(),
                "Basic " + shop.token(),
                "Bearer " + shop.token() + "x",
                "Bearer " + shop.token().substring(1),
                "Bearer " + shop.line().replaceFirst(".*sha256:([0-9a-f]+).*", "$1"))) {
            assertThat(tokens.find(other)).as(other).isEmpty();
        }
        assertThat(tokens.find(null)).isEmpty();
        assertThat(read("").find("Bearer " + shop.token())).isEmpty();
    }

    @Test
    void roles_allowWhatTheyAreFor() {
        Caller viewer = caller("viewer", List.of());
        Caller allocator = caller("allocator", List.of());
        Caller limited = caller("allocator", List.of("shop-*", "orders"));
        Caller both = caller("viewer,allocator", List.of("shop-*"));
        Caller operator = caller("operator", List.of());
        for (Caller each : List.of(viewer, allocator, limited, both, operator)) {
            assertThat(each.may(Access.NOBODY_ASKED, "")).isTrue();
        }
        assertThat(List.of(viewer, allocator, limited, both, operator))
                .extracting(each -> each.may(Access.VIEW, "orders"))
                .containsExactly(true, false, false, true, true);
        assertThat(List.of(viewer, allocator, limited, both, operator))
                .extracting(each -> each.may(Access.ALLOCATE, "orders"))
                .containsExactly(false, true, true, false, true);
        assertThat(List.of(viewer, allocator, limited, both, operator))
                .extracting(each -> each.may(Access.ALLOCATE, "shop-1"))
                .containsExactly(false, true, true, true, true);
        assertThat(List.of(viewer, allocator, limited, both, operator))
                .extracting(each -> each.may(Access.OPERATE, "shop-1"))
                .containsExactly(false, false, false, false, true);
        assertThat(limited.may(Access.ALLOCATE, "shop")).isFalse();
        assertThat(limited.may(Access.ALLOCATE, "Shop-1")).isFalse();
        assertThat(limited.may(Access.ALLOCATE, "orders2")).isFalse();
    }

    private static Caller caller(String roles, List<String> sequences) {
        Tokens.Fresh fresh = Tokens.fresh(RANDOM, "x", roles, sequences);
        Optional<Caller> caller = read(fresh.line()).find("Bearer " + fresh.token());
        return caller.orElseThrow();
    }

    @Test
    void routes_areClosedUnlessTheyAreKnown() {
        assertThat(Access.needed("GET", "/health/live")).isEqualTo(Access.NOBODY_ASKED);
        assertThat(Access.needed("GET", "/health/ready")).isEqualTo(Access.NOBODY_ASKED);
        assertThat(Access.needed("GET", "/metrics")).isEqualTo(Access.VIEW);
        assertThat(Access.needed("GET", "/v1/config")).isEqualTo(Access.VIEW);
        assertThat(Access.needed("POST", "/v1/sequences/{name}/next")).isEqualTo(Access.ALLOCATE);
        assertThat(Access.needed("POST", "/v1/sequences/{name}/blocks")).isEqualTo(Access.ALLOCATE);
        assertThat(Access.needed("POST", "/v1/sequences/{name}/restart")).isEqualTo(Access.OPERATE);
        assertThat(Access.needed("PUT", "/v1/sequences/{name}")).isEqualTo(Access.OPERATE);
        assertThat(Access.needed("DELETE", "/v1/sequences/{name}")).isEqualTo(Access.OPERATE);
        assertThat(Access.needed("POST", "/v1/anything/new")).isEqualTo(Access.OPERATE);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "shop",
                "shop operator",
                "shop operator SECRET",
                "shop operator sha256:abc",
                "shop operator sha256:HASH0",
                "shop master sha256:HASH",
                "shop viewer, sha256:HASH",
                "-shop viewer sha256:HASH",
                "shop viewer sha256:HASH shop-*",
                "shop operator,allocator sha256:HASH shop-*",
                "shop allocator sha256:HASH sh*op",
                "shop allocator sha256:HASH bad/name",
                "ok viewer sha256:HASH\nok viewer sha256:" + ELSE,
                "ok viewer sha256:HASH\nagain viewer sha256:HASH",
            })
    void badLine_isRefusedWithItsNumber(String lines) {
        String text = "other viewer sha256:" + "1".repeat(64) + "\n" + lines;
        String detail = assertThrows(Refusal.class, () -> read(text.replace("HASH", "0".repeat(64))))
                .problem()
                .detail();
        assertThat(detail).contains("line " + (1 + lines.split("\n").length)).doesNotContain("SECRET");
    }

    @Test
    void fresh_withABadNameOrRole_isRefused() {
        assertThrows(Refusal.class, () -> Tokens.fresh(RANDOM, "a b", "viewer", List.of()));
        assertThrows(Refusal.class, () -> Tokens.fresh(RANDOM, "a", "root", List.of()));
        assertThrows(Refusal.class, () -> Tokens.fresh(RANDOM, "a", "viewer", List.of("x")));
    }

    @Test
    void tokens_haveNoTwoTheSame() {
        assertThat(Tokens.fresh(RANDOM, "a", "viewer", List.of()).token())
                .hasSizeGreaterThan(40)
                .isNotEqualTo(Tokens.fresh(RANDOM, "a", "viewer", List.of()).token());
        assertThat(caller("operator", List.of()).roles()).containsExactly(Role.OPERATOR);
    }
}
