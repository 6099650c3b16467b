package io.seriatim.server;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** Certificates and keys out of PEM files; the JDK reads what stands in them. */
final class Certificate {

    private static final Pattern KEY =
            Pattern.compile("-----BEGIN PRIVATE KEY-----([A-Za-z0-9+/=\\s]+)-----END PRIVATE KEY-----");

    /** What is signed to see whether a key is the certificate's. */
    private static final byte[] TRIAL = "seriatim".getBytes(StandardCharsets.US_ASCII);

    private Certificate() {}

    /**
     * What a server needs to be known by its certificate.
     *
     * @throws Refusal if a file holds something else, or the key is not the certificate's
     */
    static SSLContext ofServer(Path certificateFile, byte[] certificates, Path keyFile, byte[] key) {
        List<X509Certificate> chain = certificates(certificateFile, certificates);
        try {
            PrivateKey privateKey = privateKey(keyFile, key, chain.get(0));
            KeyStore store = emptyStore();
            store.setKeyEntry("server", privateKey, new char[0], chain.toArray(X509Certificate[]::new));
            KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            keys.init(store, new char[0]);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(keys.getKeyManagers(), null, null);
            return context;
        } catch (GeneralSecurityException | IOException e) {
            throw refusal(certificateFile, "cannot be used as a server's certificate");
        }
    }

    /** What a client needs that trusts the certificates in a file and no others. */
    static SSLContext ofClient(Path file, byte[] bytes) {
        List<X509Certificate> trusted = certificates(file, bytes);
        try {
            KeyStore store = emptyStore();
            for (int i = 0; i < trusted.size(); i++) {
                store.setCertificateEntry("ca-" + i, trusted.get(i));
            }
            TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trust.init(store);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, trust.getTrustManagers(), null);
            return context;
        } catch (GeneralSecurityException | IOException e) {
            throw refusal(file, "cannot be used as certificates to trust");
        }
    }

    private static KeyStore emptyStore() throws GeneralSecurityException, IOException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        return store;
    }

    private static List<X509Certificate> certificates(Path file, byte[] bytes) {
        try {
            List<X509Certificate> certificates =
                    CertificateFactory.getInstance("X.509")
                            .generateCertificates(new ByteArrayInputStream(bytes))
                            .stream()
                            .map(X509Certificate.class::cast)
                            .toList();
            if (!certificates.isEmpty()) {
                return certificates;
            }
        } catch (CertificateException e) {
            throw refusal(file, "must hold certificates in PEM: one of them cannot be read");
        }
        throw refusal(file, "must hold certificates in PEM");
    }

    private static PrivateKey privateKey(Path file, byte[] bytes, X509Certificate certificate) {
        Matcher pem = KEY.matcher(new String(bytes, StandardCharsets.ISO_8859_1));
        if (!pem.find()) {
            throw refusal(
                    file,
                    "must hold a private key as PKCS#8 in PEM, without a password; others are made so by"
                            + " openssl pkcs8 -topk8 -nodes");
        }
        try {
            byte[] encoded = Base64.getMimeDecoder().decode(pem.group(1));
            String algorithm = certificate.getPublicKey().getAlgorithm();
            PrivateKey key = KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(encoded));
            if (belongsTo(certificate, key, algorithm)) {
                return key;
            }
        } catch (GeneralSecurityException | IllegalArgumentException e) {
            throw refusal(file, "must hold the private key of the certificate: it cannot be read as one of its kind");
        }
        throw refusal(file, "must hold the private key of the certificate: it is another one's");
    }

    private static boolean belongsTo(X509Certificate certificate, PrivateKey key, String algorithm)
            throws GeneralSecurityException {
        Signature signature = switch (algorithm) {
            case "RSA" -> Signature.getInstance("SHA256withRSA");
            case "EC" -> Signature.getInstance("SHA256withECDSA");
            default -> Signature.getInstance(algorithm);
        };
        signature.initSign(key);
        signature.update(TRIAL);
        byte[] signed = signature.sign();
        signature.initVerify(certificate.getPublicKey());
        signature.update(TRIAL);
        return signature.verify(signed);
    }

    private static Refusal refusal(Path file, String rule) {
        return new Refusal(Problem.badRequest("the file " + file + " " + rule));
    }
}
