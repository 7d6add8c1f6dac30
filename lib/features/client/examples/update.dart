// Finds out whether there is a newer release. Needs the packages cryptography 2, http 1 and package_info_plus 8. The API token
// is given to the build: --dart-define=SLIPWAY_TOKEN=$SLIPWAY_TOKEN
import 'dart:convert';
import 'dart:io';
import 'dart:math';

import 'package:cryptography/cryptography.dart';
import 'package:http/http.dart' as http;
import 'package:package_info_plus/package_info_plus.dart';

const baseUrl = 'https://slipway.example.com';
const path = '/api/client/get-latest-release';
const publicKey = '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo';
const token = String.fromEnvironment('SLIPWAY_TOKEN');

class Update {
  const Update(this.version, this.isMandatory, this.installUrl);

  final String version;

  /// The app must not go on without it.
  final bool isMandatory;

  /// The page from which it is installed: launchUrl(installUrl, mode: LaunchMode.externalApplication)
  final Uri installUrl;
}

/// Returns null if the app is up to date, or the console cannot be reached.
Future<Update?> findUpdate() async {
  final app = await PackageInfo.fromPlatform();
  final random = Random.secure();
  final nonce = base64Url.encode(List.generate(18, (_) => random.nextInt(256)));
  final address = Uri.parse(baseUrl + path).replace(queryParameters: {
    'platform': Platform.isAndroid ? 'android' : 'ios',
    'version': app.version,
    'buildNumber': app.buildNumber,
  });
  final http.Response response;
  try {
    response = await http.get(address, headers: {
      'Authorization': 'Bearer $token',
      // On Android, the SHA-256 of the signing certificate
      'X-App-Identifier': Platform.isAndroid ? app.buildSignature : app.packageName,
      'X-Nonce': nonce,
    }).timeout(const Duration(seconds: 10));
  } on Exception {
    return null;
  }
  final jws = response.headers['x-signature'];
  // Without a signature, the answer is not from the console.
  if (jws == null) return null;
  await verify(jws, response.bodyBytes, '$path?${address.query}', nonce);
  switch (response.statusCode) {
    case 200:
      final Map<String, dynamic> latest = jsonDecode(utf8.decode(response.bodyBytes));
      if (!latest['updateAvailable']) return null;
      return Update(latest['release']['version'], latest['mandatory'], Uri.parse(latest['installUrl']));
    case 401:
      throw StateError('SLIPWAY_TOKEN is not valid for the identifier of this app.');
    case 429:
      return null;
    default:
      throw HttpException(response.body);
  }
}

/// Verifies that a response is the console's, and to this request (RFC 7515, appendix F; RFC 7797).
Future<void> verify(String jws, List<int> body, String url, String nonce) async {
  final [header, _, signature] = jws.split('.');
  final key = SimplePublicKey(decode(publicKey), type: KeyPairType.ed25519);
  final isValid = await Ed25519().verify(
    [...utf8.encode('$header.'), ...body],
    signature: Signature(decode(signature), publicKey: key),
  );
  if (!isValid) throw StateError('The signature is wrong.');
  final Map<String, dynamic> claims = jsonDecode(utf8.decode(decode(header)));
  if (claims['alg'] != 'EdDSA' || claims['b64'] != false || claims['url'] != url || claims['nonce'] != nonce) {
    throw StateError('The response is not to this request.');
  }
}

List<int> decode(String text) => base64Url.decode(base64Url.normalize(text));
