package io.seriatim.server;

import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/** Which store or server the commands are for, by flags and the environment, and how it is reached. */
final class TargetOptions {

    /** Each says which store is meant, as {@code --server} does. */
    private static final List<Setting> PLACES = List.of(Setting.DATA, Setting.STORE, Setting.URL);

    @Spec(Spec.Target.MIXEE)
    @SuppressWarnings("NullAway.Init") // picocli sets it before any command runs
    private CommandSpec spec;

    @Option(
            names = "--server",
            paramLabel = "URL",
            scope = ScopeType.INHERIT,
            description = "Ask a running server instead, such as http://127.0.0.1:7450.")
    private @Nullable String server;

    @Option(
            names = "--token",
            paramLabel = "TOKEN|@FILE",
            scope = ScopeType.INHERIT,
            description = "The token for --server, or a file whose first line it is. Rather set SERIATIM_TOKEN.")
    private @Nullable String token;

    @Option(
            names = "--ca",
            paramLabel = "FILE",
            scope = ScopeType.INHERIT,
            description = "Certificates in PEM on which that of --server must rest; default: those of this system.")
    private @Nullable String ca;

    /** What {@link Setting}s may be given by a variable. */
    private final Map<String, String> environment;

    TargetOptions(Map<String, String> environment) {
        this.environment = environment;
    }

    /** A flag wins over the environment. Two that are as good as each other are refused: numbers would come twice. */
    Target target() {
        boolean serverGiven = isGiven("--server");
        Optional<Setting> place =
                PLACES.stream().filter(setting -> isGiven(setting.flag())).findFirst();
        if (place.isPresent() && serverGiven) {
            throw badUsage(place.get().flag() + " and --server exclude each other");
        }
        if (server == null || place.isPresent()) {
            try {
                return LocalStore.of(settings());
            } catch (Refusal e) {
                throw badUsage(e.problem().detail());
            }
        }
        for (Setting setting : PLACES) {
            if (environment.containsKey(setting.variable()) && !serverGiven) {
                throw badUsage(setting.variable() + " and SERIATIM_SERVER are both set: unset one, or give "
                        + setting.flag() + " or --server");
            }
        }
        return new RemoteServer(address(server), Optional.ofNullable(token).map(this::token), trust());
    }

    private String token(String textOrFile) {
        String text = textOrFile.startsWith("@")
                ? Utf8.decode(read("--token", textOrFile.substring(1)))
                        .flatMap(lines -> lines.lines().findFirst())
                        .orElse("")
                : textOrFile;
        if (!text.matches("[\\x21-\\x7e]+")) {
            throw badUsage("--token, or SERIATIM_TOKEN, must be a token of visible ASCII characters, or @FILE");
        }
        return text;
    }

    private Optional<SSLContext> trust() {
        if (ca == null) {
            return Optional.empty();
        }
        try {
            return Optional.of(Certificate.ofClient(Path.of(ca), read("--ca", ca)));
        } catch (Refusal e) {
            throw badUsage(e.problem().detail());
        }
    }

    private byte[] read(String flag, String file) {
        try {
            return Files.readAllBytes(Path.of(file));
        } catch (IOException | InvalidPathException e) {
            throw badUsage(flag + " must name a file that can be read: " + file);
        }
    }

    private URI address(String text) {
        try {
            URI address = new URI(text);
            boolean isHttp = "http".equals(address.getScheme()) || "https".equals(address.getScheme());
            if (!isHttp || address.getHost() == null) {
                throw noAddress(text);
            }
            return address;
        } catch (URISyntaxException e) {
            throw noAddress(text);
        }
    }

    private ParameterException noAddress(String text) {
        return badUsage(
                "--server, or SERIATIM_SERVER, must be an address such as http://127.0.0.1:7450: '" + text + "'");
    }

    /** Whether a flag is on the command line; what the environment says does not count. */
    boolean isGiven(String flag) {
        return flag(flag).isPresent();
    }

    /** What a flag is given, before or behind the command's name; what stands last in the line counts. */
    private Optional<String> flag(String flag) {
        @Nullable OptionSpec last = null;
        CommandLine.@Nullable ParseResult command = spec.commandLine().getParseResult();
        while (command != null) {
            OptionSpec matched = command.matchedOption(flag);
            last = matched == null ? last : matched;
            command = command.hasSubcommand() ? command.subcommand() : null;
        }
        return Optional.ofNullable(last).map(OptionSpec::getValue);
    }

    Settings settings() {
        Map<Setting, String> flags = new EnumMap<>(Setting.class);
        for (Setting setting : Setting.values()) {
            flag(setting.flag()).ifPresent(value -> flags.put(setting, value));
        }
        try {
            return Settings.of(flags, environment);
        } catch (Refusal e) {
            throw badUsage(e.problem().detail());
        }
    }

    /** For commands that are about a server, and not only about its store. */
    Settings allSettings() {
        Settings settings = settings();
        try {
            settings.requireReadable();
            return settings;
        } catch (Refusal e) {
            throw badUsage(e.problem().detail());
        }
    }

    private ParameterException badUsage(String sentence) {
        return new ParameterException(spec.commandLine(), sentence);
    }
}
