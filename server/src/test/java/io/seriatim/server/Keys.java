package io.seriatim.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/** Certificates and keys in PEM, made by the JDK's keytool. */
final class Keys {

    private static final char[] PASSWORD = "changeit".toCharArray();

    private Keys() {}

    /** A certificate for this machine that rests on itself, and its key. */
    record Pair(Path certificate, Path key) {}

    static Pair make(Path folder, String name, String... algorithm) throws Exception {
        Path store = folder.resolve(name + ".p12");
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-alias",
                "server",
                "-dname",
                "CN=" + name,
                "-ext",
                "san=ip:127.0.0.1,ip:::1,dns:localhost",
                "-validity",
                "2",
                "-storetype",
                "PKCS12",
                "-keystore",
                store.toString(),
                "-storepass",
                new String(PASSWORD)));
        command.addAll(List.of(algorithm));
        Process keytool = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(keytool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(keytool.waitFor()).as(said).isZero();
        java.security.KeyStore keys = java.security.KeyStore.getInstance(store.toFile(), PASSWORD);
        return new Pair(
                pem(
                        folder.resolve(name + ".crt"),
                        "CERTIFICATE",
                        keys.getCertificate("server").getEncoded()),
                pem(
                        folder.resolve(name + ".key"),
                        "PRIVATE KEY",
                        keys.getKey("server", PASSWORD).getEncoded()));
    }

    static Pair make(Path folder, String name) throws Exception {
        return make(folder, name, "-keyalg", "EC", "-groupname", "secp256r1");
    }

    private static Path pem(Path file, String kind, byte[] bytes) throws IOException {
        String lines = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(bytes);
        return Files.writeString(file, "-----BEGIN " + kind + "-----\n" + lines + "\n-----END " + kind + "-----\n");
    }
}
