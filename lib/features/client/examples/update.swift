// Finds out whether there is a newer release. Needs iOS 15; CryptoKit verifies the signature. Info.plist has the API token:
// SLIPWAY_TOKEN = $(SLIPWAY_TOKEN), a build setting that an .xcconfig file or CI sets.
import CryptoKit
import Foundation

private let baseURL = "https://slipway.example.com"
private let path = "/api/client/get-latest-release"
private let publicKey = "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"

struct Update {
    let version: String
    /// The app must not go on without it.
    let isMandatory: Bool
    /// The page from which it is installed: await UIApplication.shared.open(installURL)
    let installURL: URL
}

enum UpdateError: Error {
    case wrongSignature, otherRequest, invalidToken
    case problem(String)
}

private struct Latest: Decodable {
    struct Release: Decodable { let version: String }
    let updateAvailable: Bool
    let mandatory: Bool
    let release: Release?
    let installUrl: URL?
}

private struct Claims: Decodable {
    let alg: String
    let b64: Bool
    let url: String
    let nonce: String?
}

/// Returns nil if the app is up to date, or the console cannot be reached.
func findUpdate() async throws -> Update? {
    let nonce = UUID().uuidString
    let info = Bundle.main.infoDictionary ?? [:]
    var address = URLComponents(string: baseURL + path)!
    address.queryItems = [
        URLQueryItem(name: "platform", value: "ios"),
        URLQueryItem(name: "version", value: info["CFBundleShortVersionString"] as? String),
        URLQueryItem(name: "buildNumber", value: info["CFBundleVersion"] as? String),
    ]
    var request = URLRequest(url: address.url!, cachePolicy: .reloadIgnoringLocalCacheData, timeoutInterval: 10)
    request.setValue("Bearer \(info["SLIPWAY_TOKEN"] as? String ?? "")", forHTTPHeaderField: "Authorization")
    request.setValue(Bundle.main.bundleIdentifier, forHTTPHeaderField: "X-App-Identifier")
    request.setValue(nonce, forHTTPHeaderField: "X-Nonce")

    // Without a connection, and without a signature, the answer is not from the console.
    guard let (body, answer) = try? await URLSession.shared.data(for: request), let response = answer as? HTTPURLResponse,
        let jws = response.value(forHTTPHeaderField: "X-Signature")
    else { return nil }
    try verify(jws, body: body, url: "\(path)?\(address.percentEncodedQuery!)", nonce: nonce)
    switch response.statusCode {
    case 200:
        let latest = try JSONDecoder().decode(Latest.self, from: body)
        guard latest.updateAvailable, let release = latest.release, let installURL = latest.installUrl else { return nil }
        return Update(version: release.version, isMandatory: latest.mandatory, installURL: installURL)
    case 401:
        throw UpdateError.invalidToken
    case 429:
        return nil
    default:
        throw UpdateError.problem(String(decoding: body, as: UTF8.self))
    }
}

/// Verifies that a response is the console's, and to this request (RFC 7515, appendix F; RFC 7797).
private func verify(_ jws: String, body: Data, url: String, nonce: String) throws {
    let parts = jws.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 3, let header = decode(parts[0]), let signature = decode(parts[2]), let key = decode(publicKey),
        try Curve25519.Signing.PublicKey(rawRepresentation: key)
            .isValidSignature(signature, for: Data("\(parts[0]).".utf8) + body)
    else { throw UpdateError.wrongSignature }
    let claims = try JSONDecoder().decode(Claims.self, from: header)
    guard claims.alg == "EdDSA", !claims.b64, claims.url == url, claims.nonce == nonce else {
        throw UpdateError.otherRequest
    }
}

/// Decodes base64url without padding.
private func decode(_ text: String) -> Data? {
    let base64 = text.replacingOccurrences(of: "-", with: "+").replacingOccurrences(of: "_", with: "/")
    return Data(base64Encoded: base64 + String(repeating: "=", count: (4 - base64.count % 4) % 4))
}
