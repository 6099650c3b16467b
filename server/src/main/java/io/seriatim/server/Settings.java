package io.seriatim.server;

import io.seriatim.eventlog.application.TrustLevel;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** What is set, and where: a flag goes before the environment, that before the file, that before the default. */
final class Settings {

    /** Where a value comes from; the first goes before the others. */
    enum Source {
        FLAG,
        ENVIRONMENT,
        FILE,
        DEFAULT;

        String shown() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    private record Given(String text, Source source) {}

    private static final String HIDDEN = "(hidden)";
    private static final int LONGEST_LEASE_SECONDS = 3_600;

    private final Map<Setting, Given> given = new EnumMap<>(Setting.class);

    private Settings() {}

    /**
     * Brings together what is set.
     *
     * @param flags by setting
     * @param environment by name of the variable; names that are no setting's are not looked at
     * @throws Refusal if the file cannot be read or holds what is no setting, or if a value is empty
     */
    static Settings of(Map<Setting, String> flags, Map<String, String> environment) {
        Settings settings = new Settings();
        settings.putAll(flags, Source.FLAG);
        Map<Setting, String> variables = new EnumMap<>(Setting.class);
        for (Setting setting : Setting.values()) {
            Optional.ofNullable(environment.get(setting.variable())).ifPresent(value -> variables.put(setting, value));
        }
        settings.putAll(variables, Source.ENVIRONMENT);
        settings.path(Setting.CONFIG).ifPresent(file -> settings.putAll(SettingsFile.read(file), Source.FILE));
        return settings;
    }

    private void putAll(Map<Setting, String> values, Source source) {
        values.forEach((setting, text) -> {
            if (given.putIfAbsent(setting, new Given(text, source)) == null
                    && text.isBlank()
                    && setting != Setting.PASSWORD) {
                throw bad(setting, "must not be empty");
            }
        });
    }

    Optional<String> find(Setting setting) {
        return Optional.ofNullable(given.get(setting)).map(Given::text).or(setting::defaultText);
    }

    Source source(Setting setting) {
        Given present = given.get(setting);
        return present == null ? Source.DEFAULT : present.source();
    }

    boolean isGiven(Setting setting) {
        return given.containsKey(setting);
    }

    /** The value of a setting that has a default. */
    String text(Setting setting) {
        return find(setting).orElseThrow();
    }

    /** A value of a closed set. */
    String oneOf(Setting setting, List<String> words) {
        String text = text(setting);
        if (!words.contains(text)) {
            throw bad(setting, "must be " + String.join(" or ", words) + ": " + text);
        }
        return text;
    }

    /** Refuses values that no server could be started with; what they name is not looked at. */
    void requireReadable() {
        port();
        lease();
        advertisedUrl();
        logFormat();
        LocalStore.of(this);
    }

    TrustLevel trustLevel() {
        return TrustLevels.of(oneOf(Setting.TRUST_LEVEL, TrustLevels.WORDS));
    }

    LogLayout.Format logFormat() {
        return oneOf(Setting.LOG_FORMAT, List.of("text", "json")).equals("json")
                ? LogLayout.Format.JSON
                : LogLayout.Format.TEXT;
    }

    int port() {
        String text = text(Setting.PORT);
        if (!text.matches("0|[1-9][0-9]{0,4}") || Integer.parseInt(text) > 65_535) {
            throw bad(Setting.PORT, "must be a whole number from 0 to 65535: " + text);
        }
        return Integer.parseInt(text);
    }

    Duration lease() {
        String text = text(Setting.LEASE);
        if (!text.matches("[1-9][0-9]{0,3}") || Integer.parseInt(text) > LONGEST_LEASE_SECONDS) {
            throw bad(
                    Setting.LEASE,
                    "must be a whole number of seconds from 1 to " + LONGEST_LEASE_SECONDS + ": " + text);
        }
        return Duration.ofSeconds(Integer.parseInt(text));
    }

    Optional<URI> advertisedUrl() {
        return find(Setting.ADVERTISE_URL)
                .map(text -> address(text)
                        .orElseThrow(() -> bad(
                                Setting.ADVERTISE_URL,
                                "must be an address such as http://10.0.0.5:7450, with nothing behind the port: "
                                        + text)));
    }

    /** Where a server can be called: scheme, host and perhaps a port, and nothing else. */
    static Optional<URI> address(String text) {
        URI url;
        try {
            url = new URI(text);
        } catch (URISyntaxException e) {
            return Optional.empty();
        }
        boolean isHttp = "http".equals(url.getScheme()) || "https".equals(url.getScheme());
        boolean isPlain = url.getHost() != null
                && url.getUserInfo() == null
                && List.of("", "/").contains(String.valueOf(url.getPath()))
                && url.getQuery() == null
                && url.getFragment() == null;
        boolean isPort = url.getPort() == -1 || url.getPort() >= 1 && url.getPort() <= 65_535;
        return isHttp && isPlain && isPort ? Optional.of(url) : Optional.empty();
    }

    Optional<Path> path(Setting setting) {
        return find(setting).map(text -> {
            try {
                return Path.of(text);
            } catch (InvalidPathException e) {
                throw bad(setting, "must name a file or folder that this system can have: " + text);
            }
        });
    }

    /** The first line of a file that a setting names. */
    Optional<String> firstLine(Setting setting) {
        return path(setting).map(file -> {
            try (Stream<String> lines = Files.lines(file)) {
                return lines.findFirst().orElse("");
            } catch (IOException | UncheckedIOException e) {
                throw bad(setting, "must name a text file that can be read: " + file);
            }
        });
    }

    /** A refusal that names a setting and where its value comes from. */
    Refusal bad(Setting setting, String rule) {
        String from = switch (source(setting)) {
            case ENVIRONMENT -> " (from " + setting.variable() + ")";
            case FILE -> " (from " + text(Setting.CONFIG) + ")";
            case FLAG, DEFAULT -> "";
        };
        return new Refusal(Problem.badRequest(setting.flag() + " " + rule + from));
    }

    /** All settings with value and source, without secrets. */
    String json() {
        return Json.object(out -> {
            out.writeArrayPropertyStart("settings");
            for (Setting setting : Setting.values()) {
                out.writeStartObject();
                out.writeStringProperty("name", setting.key());
                Optional<String> shown = find(setting).map(text -> shown(setting, text));
                if (shown.isPresent()) {
                    out.writeStringProperty("value", shown.get());
                } else {
                    out.writeNullProperty("value");
                }
                out.writeStringProperty("source", source(setting).shown());
                out.writeEndObject();
            }
            out.writeEndArray();
        });
    }

    /** A URL's parameters are for the driver, and a password may be among them. */
    private static String shown(Setting setting, String text) {
        return switch (setting) {
            case PASSWORD -> HIDDEN;
            case URL -> text.indexOf('?') < 0 ? text : text.substring(0, text.indexOf('?') + 1) + HIDDEN;
            default -> text;
        };
    }
}
