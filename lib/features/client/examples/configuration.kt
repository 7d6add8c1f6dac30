// Reads the configuration of an environment. Needs Android 9 and com.google.crypto.tink:tink-android; java.security
// has Ed25519 only on recent versions of Android. Gradle takes the API token from the environment:
// buildConfigField("String", "SLIPWAY_TOKEN", "\"${System.getenv("SLIPWAY_TOKEN")}\"")
import android.content.Context
import android.content.pm.PackageManager
import com.google.crypto.tink.subtle.Ed25519Verify
import java.io.File
import java.io.IOException
import java.net.HttpURLConnection
import java.net.URL
import java.security.MessageDigest
import java.util.Base64
import java.util.UUID
import org.json.JSONObject

private const val BASE_URL = "https://slipway.example.com"
private const val PATH = "/api/client/get-configuration"
private const val ENVIRONMENT = "Staging"
private const val PUBLIC_KEY = "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"

/** Call it outside the main thread. Without a connection, it returns the last configuration. */
fun readConfiguration(context: Context): JSONObject {
    val file = File(context.noBackupFilesDir, "slipway-configuration.json")
    val kept = if (file.exists()) JSONObject(file.readText()) else null
    val nonce = UUID.randomUUID().toString()
    val connection = URL(BASE_URL + PATH).openConnection() as HttpURLConnection
    connection.connectTimeout = 10_000
    connection.readTimeout = 10_000
    connection.setRequestProperty("Authorization", "Bearer " + BuildConfig.SLIPWAY_TOKEN)
    connection.setRequestProperty("X-App-Identifier", signingHash(context))
    connection.setRequestProperty("X-Nonce", nonce)
    kept?.let { connection.setRequestProperty("If-None-Match", it.getString("etag")) }
    val body: ByteArray
    val jws: String
    try {
        val stream = if (connection.responseCode < 400) connection.inputStream else connection.errorStream
        body = stream?.use { it.readBytes() } ?: ByteArray(0)
        jws = connection.getHeaderField("X-Signature") ?: throw IOException("The console cannot be reached.")
    } catch (error: IOException) {
        return kept?.getJSONObject("configuration") ?: throw error
    }
    val claims = verified(jws, body, nonce)
    return when (connection.responseCode) {
        200 -> {
            val configuration = JSONObject(String(body))
            file.writeText(JSONObject().put("etag", claims.getString("etag")).put("configuration", configuration).toString())
            configuration
        }
        304 -> {
            check(kept != null && claims.getString("etag") == kept.getString("etag")) { "The response is not to this request." }
            kept.getJSONObject("configuration")
        }
        401 -> throw SecurityException("SLIPWAY_TOKEN is not valid for " + ENVIRONMENT + " or this app's signing certificate.")
        429 -> {
            Thread.sleep(connection.getHeaderField("Retry-After").toLong() * 1000)
            readConfiguration(context)
        }
        else -> throw IOException(String(body))
    }
}

/** Verifies a response and returns the protected header of its signature (RFC 7515, appendix F; RFC 7797). */
private fun verified(jws: String, body: ByteArray, nonce: String): JSONObject {
    val (header, _, signature) = jws.split(".")
    val decoder = Base64.getUrlDecoder()
    // Throws a GeneralSecurityException if the signature is wrong.
    Ed25519Verify(decoder.decode(PUBLIC_KEY)).verify(decoder.decode(signature), "$header.".toByteArray() + body)
    val claims = JSONObject(String(decoder.decode(header)))
    check(
        claims.getString("alg") == "EdDSA" && !claims.getBoolean("b64") &&
            claims.getString("url") == PATH && claims.optString("nonce") == nonce,
    ) { "The response is not to this request." }
    return claims
}

/** The SHA-256 of the certificate that the app is signed with, which the API token has as an identifier. */
private fun signingHash(context: Context): String {
    val info = context.packageManager.getPackageInfo(context.packageName, PackageManager.GET_SIGNING_CERTIFICATES)
    val certificate = info.signingInfo!!.apkContentsSigners.first().toByteArray()
    return MessageDigest.getInstance("SHA-256").digest(certificate).joinToString("") { "%02x".format(it) }
}
