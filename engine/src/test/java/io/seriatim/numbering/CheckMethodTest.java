package io.seriatim.numbering;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.CharRange;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Check characters as published, and as their definitions say. */
final class CheckMethodTest {

    private static String check(CheckMethod method, String payload) {
        long state = method.initial();
        for (byte c : payload.getBytes(US_ASCII)) {
            state = method.next(state, CheckMethod.symbolOf(c));
        }
        byte[] check = new byte[method.length()];
        method.write(state, check, 0);
        return new String(check, US_ASCII);
    }

    @ParameterizedTest
    @CsvSource({
        // ISO/IEC 7812-1's usual example; the seed's reports; a test card number
        "luhn, 7992739871, 3",
        "luhn, 12345678, 2",
        "luhn, 35726908971331, 7",
        "luhn, 411111111111111, 1",
        // Damm's thesis
        "damm, 572, 4",
        "damm, 123456789, 4",
        // Verhoeff
        "verhoeff, 236, 3",
        "verhoeff, 12345, 1",
        "verhoeff, 142857, 0",
        "verhoeff, 123456789012, 0",
        "verhoeff, 8473643095483728456789, 2",
        // ISO/IEC 7064
        "mod97, 794, 44",
        "mod97, 99991234567890121414, 90",
        // the IBAN GB82 WEST 1234 5698 7654 32
        "mod97, 32142829123456987654321611, 82",
        "mod11-2, 0794, 0",
        "mod11-2, 079, X",
        // ORCID's documentation; an ISNI
        "mod11-2, 000000021825009, 7",
        "mod11-2, 000000021694233, X",
        "mod11-2, 000000012146438, X",
        // GRid and ISAN
        "mod37-36, A12425GABC1234002, M",
        "mod37-36, 0000000189470000, 8",
        "mod37-36, 000000003A8D0000, Z",
        // ISO 11649
        "iso11649, 539007547034, 18",
        "iso11649, 2348231, 71",
        "iso11649, 000000000539007547034, 18"
    })
    void check_publishedPayload_isThePublishedOne(String name, String payload, String check) {
        assertThat(check(CheckMethod.of(name).orElseThrow(), payload)).isEqualTo(check);
    }

    @Property
    void mod97_anyPayload_leavesOne(
            @ForAll @CharRange(from = '0', to = '9') @StringLength(min = 1, max = 30) String payload) {
        BigInteger whole = new BigInteger(payload + check(CheckMethod.MOD97, payload));
        assertThat(whole.mod(BigInteger.valueOf(97))).isEqualTo(BigInteger.ONE);
    }

    /** The rule as it is taught: from the right, every second digit doubled. */
    @Property
    void luhn_anyPayload_makesTheSumEndInZero(
            @ForAll @CharRange(from = '0', to = '9') @StringLength(min = 1, max = 30) String payload) {
        String whole = new StringBuilder(payload + check(CheckMethod.LUHN, payload))
                .reverse()
                .toString();
        int sum = 0;
        for (int i = 0; i < whole.length(); i++) {
            int digit = whole.charAt(i) - '0';
            sum += i % 2 == 0 ? digit : digit * 2 / 10 + digit * 2 % 10;
        }
        assertThat(sum % 10).isZero();
    }

    /** What both were made for: one wrong digit, or two neighbours exchanged, change the check. */
    @Property
    void dammAndVerhoeff_oneMistake_isSeen(
            @ForAll @CharRange(from = '0', to = '9') @StringLength(min = 2, max = 20) String payload,
            @ForAll int anyPlace,
            @ForAll int anyDigit) {
        int place = Math.floorMod(anyPlace, payload.length() - 1);
        char wrong = (char) ('0' + Math.floorMod(anyDigit, 10));
        char[] changed = payload.toCharArray();
        changed[place] = wrong;
        char[] exchanged = payload.toCharArray();
        exchanged[place] = payload.charAt(place + 1);
        exchanged[place + 1] = payload.charAt(place);
        for (CheckMethod method : new CheckMethod[] {CheckMethod.DAMM, CheckMethod.VERHOEFF}) {
            for (String mistaken : new String[] {new String(changed), new String(exchanged)}) {
                if (!mistaken.equals(payload)) {
                    assertThat(check(method, mistaken)).isNotEqualTo(check(method, payload));
                }
            }
        }
    }
}
