// Finds out whether there is a newer release. Needs Android 9 and com.google.crypto.tink:tink-android; java.security has
// Ed25519 only on recent versions of Android. Gradle takes the API token from the environment:
// buildConfigField("String", "SLIPWAY_TOKEN", "\"${System.getenv("SLIPWAY_TOKEN")}\"")
import android.content.Context
import android.content.pm.PackageManager
import com.google.crypto.tink.subtle.Ed25519Verify
import java.io.IOException
import java.net.HttpURLConnection
import java.net.URL
import java.net.URLEncoder
import java.security.MessageDigest
import java.util.Base64
import java.util.UUID
import org.json.JSONObject

private const val BASE_URL = "https://slipway.example.com"
private const val PATH = "/api/client/get-latest-release"
private const val PUBLIC_KEY = "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"

/**
 * @property isMandatory the app must not go on without it
 * @property installUrl the page from which it is installed: startActivity(Intent(Intent.ACTION_VIEW, Uri.parse(installUrl)))
 */
data class Update(val version: String, val isMandatory: Boolean, val installUrl: String)

/** Call it outside the main thread. Returns null if the app is up to date, or the console cannot be reached. */
fun findUpdate(context: Context): Update? {
    val info = context.packageManager.getPackageInfo(context.packageName, PackageManager.GET_SIGNING_CERTIFICATES)
    val query = listOf(
        "platform" to "android",
        "version" to info.versionName.orEmpty(),
        "buildNumber" to "${info.longVersionCode}",
    ).joinToString("&") { (name, value) -> name + "=" + URLEncoder.encode(value, "UTF-8") }
    val nonce = UUID.randomUUID().toString()
    val connection = URL("$BASE_URL$PATH?$query").openConnection() as HttpURLConnection
    connection.connectTimeout = 10_000
    connection.readTimeout = 10_000
    connection.setRequestProperty("Authorization", "Bearer " + BuildConfig.SLIPWAY_TOKEN)
    // The SHA-256 of the certificate that the app is signed with, which the API token has as an identifier.
    val certificate = info.signingInfo!!.apkContentsSigners.first().toByteArray()
    val hash = MessageDigest.getInstance("SHA-256").digest(certificate).joinToString("") { "%02x".format(it) }
    connection.setRequestProperty("X-App-Identifier", hash)
    connection.setRequestProperty("X-Nonce", nonce)
    val body: ByteArray
    val jws: String
    try {
        val stream = if (connection.responseCode < 400) connection.inputStream else connection.errorStream
        body = stream?.use { it.readBytes() } ?: ByteArray(0)
        // Without a signature, the answer is not from the console.
        jws = connection.getHeaderField("X-Signature") ?: return null
    } catch (error: IOException) {
        return null
    }
    verify(jws, body, "$PATH?$query", nonce)
    return when (connection.responseCode) {
        200 -> {
            val latest = JSONObject(String(body))
            if (!latest.getBoolean("updateAvailable")) null
            else Update(
                latest.getJSONObject("release").getString("version"),
                latest.getBoolean("mandatory"),
                latest.getString("installUrl"),
            )
        }
        401 -> throw SecurityException("SLIPWAY_TOKEN is not valid for this app's signing certificate.")
        429 -> null
        else -> throw IOException(String(body))
    }
}

/** Verifies that a response is the console's, and to this request (RFC 7515, appendix F; RFC 7797). */
private fun verify(jws: String, body: ByteArray, url: String, nonce: String) {
    val (header, _, signature) = jws.split(".")
    val decoder = Base64.getUrlDecoder()
    // Throws a GeneralSecurityException if the signature is wrong.
    Ed25519Verify(decoder.decode(PUBLIC_KEY)).verify(decoder.decode(signature), "$header.".toByteArray() + body)
    val claims = JSONObject(String(decoder.decode(header)))
    check(
        claims.getString("alg") == "EdDSA" && !claims.getBoolean("b64") &&
            claims.getString("url") == url && claims.optString("nonce") == nonce,
    ) { "The response is not to this request." }
}
