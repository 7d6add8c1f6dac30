// Prints the configuration of an environment. Needs Java 17, and the API token in SLIPWAY_TOKEN.
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyFactory;
import java.security.Signature;
import java.security.spec.X509EncodedKeySpec;
import java.time.Duration;
import java.util.Base64;
import java.util.HexFormat;
import java.util.UUID;

public class Configuration {
    static final String BASE_URL = "https://slipway.example.com";
    static final String PATH = "/api/client/get-configuration";
    static final String ENVIRONMENT = "Staging";
    static final String PUBLIC_KEY = "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo";
    // The last configuration, which contains secrets, and its entity tag
    static final Path KEPT = Path.of("slipway-configuration.json");
    static final Path KEPT_ETAG = Path.of("slipway-configuration.json.etag");

    public static void main(String[] args) throws Exception {
        new PrintStream(System.out, true, StandardCharsets.UTF_8).println(readConfiguration());
    }

    static String readConfiguration() throws Exception {
        var kept = Files.exists(KEPT_ETAG);
        var etag = kept ? Files.readString(KEPT_ETAG) : "";
        var nonce = UUID.randomUUID().toString();
        HttpResponse<byte[]> response;
        try {
            response = send(nonce, etag);
        } catch (IOException error) {
            if (!kept) throw error;
            return Files.readString(KEPT); // offline
        }
        verify(response, nonce);
        var body = new String(response.body(), StandardCharsets.UTF_8);
        switch (response.statusCode()) {
            case 200:
                keep(KEPT, body);
                keep(KEPT_ETAG, header(response, "ETag"));
                return body;
            case 304:
                if (!kept || !header(response, "ETag").equals(etag)) throw new SecurityException("The response is not to this request.");
                return Files.readString(KEPT);
            case 401:
                throw new SecurityException("SLIPWAY_TOKEN is not valid for " + ENVIRONMENT + ".");
            case 429:
                Thread.sleep(Long.parseLong(header(response, "Retry-After")) * 1000);
                return readConfiguration();
            default:
                throw new IllegalStateException(body);
        }
    }

    static HttpResponse<byte[]> send(String nonce, String etag) throws IOException, InterruptedException {
        var request = HttpRequest.newBuilder(URI.create(BASE_URL + PATH))
            .timeout(Duration.ofSeconds(10))
            .header("Authorization", "Bearer " + System.getenv("SLIPWAY_TOKEN"))
            .header("X-App-Identifier", "com.acme.app")
            .header("X-Nonce", nonce)
            .header("If-None-Match", etag)
            .build();
        var client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(Duration.ofSeconds(10)).build();
        var response = client.send(request, BodyHandlers.ofByteArray());
        if (header(response, "X-Signature").isEmpty()) throw new IOException("The console cannot be reached.");
        return response;
    }

    /** Verifies the signature of a response and what it was signed with (RFC 7515, appendix F; RFC 7797). */
    static void verify(HttpResponse<byte[]> response, String nonce) throws Exception {
        var parts = header(response, "X-Signature").split("\\.");
        var decoder = Base64.getUrlDecoder();
        // The key with the header of its DER form (RFC 8410)
        var key = new ByteArrayOutputStream();
        key.write(HexFormat.of().parseHex("302a300506032b6570032100"));
        key.write(decoder.decode(PUBLIC_KEY));
        var verifier = Signature.getInstance("Ed25519");
        verifier.initVerify(KeyFactory.getInstance("Ed25519").generatePublic(new X509EncodedKeySpec(key.toByteArray())));
        verifier.update((parts[0] + ".").getBytes(StandardCharsets.US_ASCII));
        verifier.update(response.body());
        if (!verifier.verify(decoder.decode(parts[2]))) throw new SecurityException("The signature is wrong.");
        // The console writes the header without spaces. Use a JSON library if the program has one.
        var claims = new String(decoder.decode(parts[0]), StandardCharsets.UTF_8);
        var ofEtag = response.statusCode() == 200 || response.statusCode() == 304;
        if (!claims.contains("\"alg\":\"EdDSA\"") || !claims.contains("\"b64\":false")
            || !claims.contains(claim("url", PATH)) || !claims.contains(claim("nonce", nonce))
            || (ofEtag && !claims.contains(claim("etag", header(response, "ETag"))))) {
            throw new SecurityException("The response is not to this request.");
        }
    }

    static String claim(String name, String value) {
        return "\"" + name + "\":\"" + value.replace("\"", "\\\"") + "\"";
    }

    static String header(HttpResponse<?> response, String name) {
        return response.headers().firstValue(name).orElse("");
    }

    static void keep(Path file, String text) throws IOException {
        if (Files.notExists(file)) {
            var created = Files.createFile(file).toFile();
            created.setReadable(false, false);
            created.setReadable(true, true);
        }
        Files.writeString(file, text);
    }
}
