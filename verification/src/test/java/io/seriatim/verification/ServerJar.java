package io.seriatim.verification;

import java.nio.file.Path;
import java.util.Objects;

/** The runnable jar under test. */
final class ServerJar {

    private ServerJar() {}

    static Path path() {
        return Path.of(Objects.requireNonNull(System.getProperty("seriatim.jar"), "set -Dseriatim.jar=JAR"));
    }
}
