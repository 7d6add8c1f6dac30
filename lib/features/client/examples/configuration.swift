// Reads the configuration of an environment. Needs iOS 15; CryptoKit verifies the signature. Info.plist has the API token:
// SLIPWAY_TOKEN = $(SLIPWAY_TOKEN), a build setting that an .xcconfig file or CI sets.
import CryptoKit
import Foundation

private let baseURL = "https://slipway.example.com"
private let path = "/api/client/get-configuration"
private let environment = "Staging"
private let publicKey = "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"

struct Configuration: Codable {
    let configurationVersion: Int
    let variables: [String: String]?
    let secureVariables: [String: String]?
}

enum ConfigurationError: Error {
    case unreachable, wrongSignature, otherRequest
    case invalidToken(environment: String)
    case problem(String)
}

private struct Kept: Codable {
    let etag: String
    let configuration: Configuration
}

private struct Claims: Decodable {
    let alg: String
    let b64: Bool
    let url: String
    let nonce: String?
    let etag: String?
}

/// Without a connection, returns the last configuration.
func readConfiguration() async throws -> Configuration {
    let folder = try FileManager.default.url(
        for: .applicationSupportDirectory, in: .userDomainMask, appropriateFor: nil, create: true)
    let file = folder.appendingPathComponent("slipway-configuration.json")
    let kept = (try? Data(contentsOf: file)).flatMap { try? JSONDecoder().decode(Kept.self, from: $0) }
    let nonce = UUID().uuidString
    let token = Bundle.main.object(forInfoDictionaryKey: "SLIPWAY_TOKEN") as? String ?? ""
    var request = URLRequest(url: URL(string: baseURL + path)!, cachePolicy: .reloadIgnoringLocalCacheData, timeoutInterval: 10)
    request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization")
    request.setValue(Bundle.main.bundleIdentifier, forHTTPHeaderField: "X-App-Identifier")
    request.setValue(nonce, forHTTPHeaderField: "X-Nonce")
    request.setValue(kept?.etag, forHTTPHeaderField: "If-None-Match")

    let body: Data
    let response: HTTPURLResponse
    let jws: String
    do {
        let (data, answer) = try await URLSession.shared.data(for: request)
        guard let http = answer as? HTTPURLResponse, let signature = http.value(forHTTPHeaderField: "X-Signature") else {
            throw ConfigurationError.unreachable
        }
        body = data
        response = http
        jws = signature
    } catch {
        guard let kept = kept else { throw error }
        return kept.configuration
    }
    let claims = try verified(jws, body: body, nonce: nonce)
    switch response.statusCode {
    case 200:
        guard let etag = claims.etag else { throw ConfigurationError.otherRequest }
        let configuration = try JSONDecoder().decode(Configuration.self, from: body)
        let data = try JSONEncoder().encode(Kept(etag: etag, configuration: configuration))
        try data.write(to: file, options: [.atomic, .completeFileProtectionUntilFirstUserAuthentication])
        return configuration
    case 304:
        guard let kept = kept, claims.etag == kept.etag else { throw ConfigurationError.otherRequest }
        return kept.configuration
    case 401:
        throw ConfigurationError.invalidToken(environment: environment)
    case 429:
        let seconds = UInt64(response.value(forHTTPHeaderField: "Retry-After") ?? "") ?? 1
        try await Task.sleep(nanoseconds: seconds * 1_000_000_000)
        return try await readConfiguration()
    default:
        throw ConfigurationError.problem(String(decoding: body, as: UTF8.self))
    }
}

/// Verifies a response and returns the protected header of its signature (RFC 7515, appendix F; RFC 7797).
private func verified(_ jws: String, body: Data, nonce: String) throws -> Claims {
    let parts = jws.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 3, let header = decode(parts[0]), let signature = decode(parts[2]), let key = decode(publicKey),
        try Curve25519.Signing.PublicKey(rawRepresentation: key)
            .isValidSignature(signature, for: Data("\(parts[0]).".utf8) + body)
    else { throw ConfigurationError.wrongSignature }
    let claims = try JSONDecoder().decode(Claims.self, from: header)
    guard claims.alg == "EdDSA", !claims.b64, claims.url == path, claims.nonce == nonce else {
        throw ConfigurationError.otherRequest
    }
    return claims
}

/// Decodes base64url without padding.
private func decode(_ text: String) -> Data? {
    let base64 = text.replacingOccurrences(of: "-", with: "+").replacingOccurrences(of: "_", with: "/")
    return Data(base64Encoded: base64 + String(repeating: "=", count: (4 - base64.count % 4) % 4))
}
