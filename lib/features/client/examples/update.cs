// Finds out whether there is a newer release. Needs .NET MAUI 8 and the package BouncyCastle.Cryptography 2. The API token is given
// to the build: <AssemblyMetadata Include="SlipwayToken" Value="$(SLIPWAY_TOKEN)" />
using System.Net;
using System.Reflection;
using System.Security.Cryptography;
using System.Text;
using System.Text.Json;
using Org.BouncyCastle.Crypto.Parameters;
using Org.BouncyCastle.Crypto.Signers;

/// <param name="IsMandatory">The app must not go on without it.</param>
/// <param name="InstallUrl">The page from which it is installed: await Launcher.OpenAsync(InstallUrl)</param>
public record Update(string Version, bool IsMandatory, Uri InstallUrl);

public static class Updates
{
    const string BaseUrl = "https://slipway.example.com";
    const string Path = "/api/client/get-latest-release";
    const string PublicKey = "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo";

    static readonly HttpClient Client = new() { Timeout = TimeSpan.FromSeconds(10) };

    /// <returns>null if the app is up to date, or the console cannot be reached</returns>
    public static async Task<Update?> FindAsync()
    {
        var platform = DeviceInfo.Platform == DevicePlatform.Android ? "android" : "ios";
        var query = $"platform={platform}&version={Uri.EscapeDataString(AppInfo.VersionString)}"
            + $"&buildNumber={Uri.EscapeDataString(AppInfo.BuildString)}";
        var nonce = Convert.ToHexString(RandomNumberGenerator.GetBytes(16));
        var token = Assembly.GetExecutingAssembly().GetCustomAttributes<AssemblyMetadataAttribute>()
            .FirstOrDefault(attribute => attribute.Key == "SlipwayToken")?.Value;
        using var request = new HttpRequestMessage(HttpMethod.Get, $"{BaseUrl}{Path}?{query}");
        request.Headers.Add("Authorization", $"Bearer {token}");
        request.Headers.Add("X-App-Identifier", Identifier());
        request.Headers.Add("X-Nonce", nonce);
        HttpResponseMessage response;
        byte[] body;
        try
        {
            response = await Client.SendAsync(request);
            body = await response.Content.ReadAsByteArrayAsync();
        }
        catch (Exception error) when (error is HttpRequestException or TaskCanceledException)
        {
            return null;
        }
        // Without a signature, the answer is not from the console.
        if (!response.Headers.TryGetValues("X-Signature", out var signatures)) return null;
        Verify(signatures.Single(), body, $"{Path}?{query}", nonce);
        if (response.StatusCode == HttpStatusCode.Unauthorized)
            throw new UnauthorizedAccessException("The API token is not valid for this app.");
        if (response.StatusCode == HttpStatusCode.TooManyRequests) return null;
        if (response.StatusCode != HttpStatusCode.OK) throw new HttpRequestException(Encoding.UTF8.GetString(body));
        var latest = JsonDocument.Parse(body).RootElement;
        if (!latest.GetProperty("updateAvailable").GetBoolean()) return null;
        return new Update(
            latest.GetProperty("release").GetProperty("version").GetString()!,
            latest.GetProperty("mandatory").GetBoolean(),
            new Uri(latest.GetProperty("installUrl").GetString()!));
    }

    /// <summary>Verifies that a response is the console's, and to this request (RFC 7515, appendix F; RFC 7797).</summary>
    static void Verify(string jws, byte[] body, string url, string nonce)
    {
        var parts = jws.Split('.');
        var verifier = new Ed25519Signer();
        verifier.Init(false, new Ed25519PublicKeyParameters(Decode(PublicKey)));
        var start = Encoding.ASCII.GetBytes(parts[0] + ".");
        verifier.BlockUpdate(start, 0, start.Length);
        verifier.BlockUpdate(body, 0, body.Length);
        if (!verifier.VerifySignature(Decode(parts[2]))) throw new CryptographicException("The signature is wrong.");
        var claims = JsonDocument.Parse(Decode(parts[0])).RootElement;
        if (claims.GetProperty("alg").GetString() != "EdDSA" || claims.GetProperty("b64").GetBoolean()
            || claims.GetProperty("url").GetString() != url
            || !claims.TryGetProperty("nonce", out var signed) || signed.GetString() != nonce)
            throw new CryptographicException("The response is not to this request.");
    }

    /// <summary>Decodes base64url without padding.</summary>
    static byte[] Decode(string text)
    {
        var base64 = text.Replace('-', '+').Replace('_', '/');
        return Convert.FromBase64String(base64.PadRight((base64.Length + 3) / 4 * 4, '='));
    }

    /// <summary>The bundle ID; on Android, the SHA-256 of the certificate that the app is signed with.</summary>
    static string Identifier()
    {
#if ANDROID
        var context = Android.App.Application.Context;
        var info = context.PackageManager!.GetPackageInfo(
            context.PackageName!, Android.Content.PM.PackageInfoFlags.SigningCertificates)!;
        return Convert.ToHexString(SHA256.HashData(info.SigningInfo!.GetApkContentsSigners()![0].ToByteArray()!));
#else
        return AppInfo.PackageName;
#endif
    }
}
