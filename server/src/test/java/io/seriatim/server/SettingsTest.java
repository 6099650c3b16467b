package io.seriatim.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class SettingsTest {

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path folder;

    private Settings ofFile(String yaml) throws IOException {
        Path file = Files.writeString(folder.resolve("seriatim.yaml"), yaml);
        return Settings.of(Map.of(Setting.CONFIG, file.toString()), Map.of());
    }

    private String refusedFile(String yaml) {
        return assertThrows(Refusal.class, () -> ofFile(yaml)).problem().detail();
    }

    @ParameterizedTest
    @EnumSource(Setting.class)
    void sources_goInOrder(Setting setting) throws IOException {
        Map<Setting, String> flags = new EnumMap<>(Setting.class);
        Map<String, String> environment = new HashMap<>();
        boolean isConfig = setting == Setting.CONFIG;
        Path file = Files.writeString(folder.resolve("seriatim.yaml"), isConfig ? "" : setting.key() + ": from-file\n");
        assertThat(Settings.of(flags, environment).find(setting)).isEqualTo(setting.defaultText());
        assertThat(Settings.of(flags, environment).source(setting)).isEqualTo(Settings.Source.DEFAULT);

        environment.put("SERIATIM_CONFIG", file.toString());
        if (!isConfig) {
            assertThat(Settings.of(flags, environment).find(setting)).hasValue("from-file");
            assertThat(Settings.of(flags, environment).source(setting)).isEqualTo(Settings.Source.FILE);
            environment.put(setting.variable(), "from-environment");
            assertThat(Settings.of(flags, environment).find(setting)).hasValue("from-environment");
        }
        assertThat(Settings.of(flags, environment).source(setting)).isEqualTo(Settings.Source.ENVIRONMENT);

        String flag = isConfig ? file.toString() : "from-flag";
        flags.put(setting, flag);
        assertThat(Settings.of(flags, environment).find(setting)).hasValue(flag);
        assertThat(Settings.of(flags, environment).source(setting)).isEqualTo(Settings.Source.FLAG);
    }

    @Test
    void file_holdsTextsAsTheyStandThere() throws IOException {
        Settings settings = ofFile("""
                # a comment
                port: 7450
                host: "::1"
                user: no
                default-definition: '{"start": 5}'
                password-file: ./päss
                """);
        assertThat(settings.port()).isEqualTo(7450);
        assertThat(settings.text(Setting.HOST)).isEqualTo("::1");
        assertThat(settings.text(Setting.USER)).isEqualTo("no");
        assertThat(settings.text(Setting.DEFAULT_DEFINITION)).isEqualTo("{\"start\": 5}");
        assertThat(settings.text(Setting.PASSWORD_FILE)).isEqualTo("./päss");
        Settings octal = ofFile("port: 07450\n");
        assertThat(assertThrows(Refusal.class, octal::port).problem().detail()).contains("--port", "07450");
        assertThat(ofFile("# nothing\n").isGiven(Setting.PORT)).isFalse();
        assertThat(ofFile("").isGiven(Setting.PORT)).isFalse();
    }

    @Test
    void file_thatHoldsSomethingElse_isRefusedByName() {
        assertThat(refusedFile("prot: 7450\n")).contains("seriatim.yaml", "prot");
        assertThat(refusedFile("tls_cert: a\n")).contains("tls_cert");
        assertThat(refusedFile("config: other.yaml\n")).contains("config");
        assertThat(refusedFile("port:\n")).contains("port");
        assertThat(refusedFile("tokens: ''\n")).contains("--tokens", "empty", "seriatim.yaml");
        assertThat(refusedFile("port: [1, 2]\n")).contains("port");
        assertThat(refusedFile("default-definition: {start: 5}\n")).contains("default-definition", "quotes");
        assertThat(refusedFile("port: 1\nport: 2\n")).contains("twice");
        assertThat(refusedFile("- port\n")).contains("NAME: VALUE");
        assertThat(refusedFile("port\n")).contains("NAME: VALUE");
        assertThat(refusedFile("port: 1\n---\nport: 2\n")).contains("one document");
        assertThat(refusedFile("host: \"x\nport: 1\n")).contains("YAML", "line");
        assertThat(refusedFile("a: &a [x, x]\nb: [*a, *a]\n")).contains("no setting");
    }

    @Test
    void file_thatCannotBeRead_isRefused() throws IOException {
        String missing = folder.resolve("missing.yaml").toString();
        assertThat(assertThrows(Refusal.class, () -> Settings.of(Map.of(), Map.of("SERIATIM_CONFIG", missing)))
                        .problem()
                        .detail())
                .contains("--config", missing);
        Path latin = Files.write(folder.resolve("latin.yaml"), new byte[] {'h', ':', ' ', (byte) 0xe4});
        assertThat(assertThrows(Refusal.class, () -> Settings.of(Map.of(Setting.CONFIG, latin.toString()), Map.of()))
                        .problem()
                        .detail())
                .contains("UTF-8");
    }

    @ParameterizedTest
    @CsvSource({
        "port, x",
        "port, -1",
        "port, 65536",
        "port, 99999999999",
        "port, ' 7450'",
        "port, 0x10",
        "log-format, xml",
        "store, oracle",
        "url, jdbc:postgresql://h/d", // without the store that it is for
        "advertise-url, 10.0.0.5:7450",
        "advertise-url, ftp://10.0.0.5:7450",
        "advertise-url, http://10.0.0.5:99999", // calls handed there were 500
        "advertise-url, http://10.0.0.5:0",
        "advertise-url, http://10.0.0.5:7450/path", // they were not found
        "advertise-url, http://me@10.0.0.5:7450",
        "advertise-url, http://10.0.0.5:7450?a=b",
        "user, me",
        "password, x",
        "password-file, x",
    })
    void badValue_isRefusedWithTheNameAndWhereItComesFrom(String key, String value) throws IOException {
        Setting setting = Setting.ofKey(key).orElseThrow();
        Settings byFlag = Settings.of(Map.of(setting, value), Map.of());
        assertThat(assertThrows(Refusal.class, byFlag::requireReadable)
                        .problem()
                        .detail())
                .contains(setting.flag());
        Settings byVariable = Settings.of(Map.of(), Map.of(setting.variable(), value));
        assertThat(assertThrows(Refusal.class, byVariable::requireReadable)
                        .problem()
                        .detail())
                .contains(setting.flag(), setting.variable());
        Settings byFile = ofFile(key + ": '" + value + "'\n");
        assertThat(assertThrows(Refusal.class, byFile::requireReadable)
                        .problem()
                        .detail())
                .contains(setting.flag(), "seriatim.yaml");
    }

    @ParameterizedTest
    @ValueSource(strings = {"jdbc:mysql://h/d", "postgresql://h/d", "jdbc:postgresql://me:secret@h/d"})
    void url_thatIsNone_isRefusedWithoutBeingShown(String url) {
        Settings settings = Settings.of(Map.of(Setting.STORE, "postgresql", Setting.URL, url), Map.of());
        assertThat(assertThrows(Refusal.class, () -> LocalStore.of(settings))
                        .problem()
                        .detail())
                .contains("--url")
                .doesNotContain("secret");
    }

    @Test
    void postgresql_needsAUrlAndOnePassword() throws IOException {
        Settings bare = Settings.of(Map.of(Setting.STORE, "postgresql"), Map.of());
        assertThat(assertThrows(Refusal.class, () -> LocalStore.of(bare))
                        .problem()
                        .detail())
                .contains("--url");
        Map<Setting, String> flags = new EnumMap<>(Setting.class);
        flags.put(Setting.STORE, "postgresql");
        flags.put(Setting.URL, "jdbc:postgresql://h/d?password=secret");
        flags.put(Setting.PASSWORD, "secret");
        assertThat(LocalStore.of(Settings.of(flags, Map.of())).toString())
                .isEqualTo("store postgresql://h/d, schema seriatim as seriatim");
        flags.put(Setting.PASSWORD_FILE, folder.resolve("password").toString());
        assertThat(assertThrows(Refusal.class, () -> LocalStore.of(Settings.of(flags, Map.of())))
                        .problem()
                        .detail())
                .contains("--password", "--password-file");
        flags.remove(Setting.PASSWORD);
        assertThat(assertThrows(Refusal.class, () -> LocalStore.of(Settings.of(flags, Map.of())))
                        .problem()
                        .detail())
                .contains("--password-file");
        Files.writeString(folder.resolve("password"), "secret\n");
        assertThat(LocalStore.of(Settings.of(flags, Map.of())).toString()).doesNotContain("secret");
        flags.put(Setting.DATA, "./data");
        assertThat(assertThrows(Refusal.class, () -> LocalStore.of(Settings.of(flags, Map.of())))
                        .problem()
                        .detail())
                .contains("--data", "--store postgresql");
    }

    @Test
    void json_hidesSecrets() {
        Settings settings = Settings.of(
                Map.of(Setting.PASSWORD, "secret", Setting.URL, "jdbc:postgresql://h/d?password=secret&x=y"),
                Map.of("SERIATIM_PORT", "0"));
        assertThat(settings.json())
                .doesNotContain("secret")
                .contains("{\"name\":\"password\",\"value\":\"(hidden)\",\"source\":\"flag\"}")
                .contains("{\"name\":\"url\",\"value\":\"jdbc:postgresql://h/d?(hidden)\",\"source\":\"flag\"}")
                .contains("{\"name\":\"port\",\"value\":\"0\",\"source\":\"environment\"}")
                .contains("{\"name\":\"tokens\",\"value\":null,\"source\":\"default\"}");
    }
}
