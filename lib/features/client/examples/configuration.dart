// Reads the configuration of an environment. Needs the packages cryptography 2, http 1, package_info_plus 8 and
// path_provider 2. The API token is given to the build: --dart-define=SLIPWAY_TOKEN=$SLIPWAY_TOKEN
import 'dart:convert';
import 'dart:io';
import 'dart:math';

import 'package:cryptography/cryptography.dart';
import 'package:http/http.dart' as http;
import 'package:package_info_plus/package_info_plus.dart';
import 'package:path_provider/path_provider.dart';

const baseUrl = 'https://slipway.example.com';
const path = '/api/client/get-configuration';
const environment = 'Staging';
const publicKey = '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo';
const token = String.fromEnvironment('SLIPWAY_TOKEN');

/// Without a connection, returns the last configuration.
Future<Map<String, dynamic>> readConfiguration() async {
  final folder = await getApplicationSupportDirectory();
  final file = File('${folder.path}/slipway-configuration.json');
  final Map<String, dynamic>? kept = file.existsSync() ? jsonDecode(file.readAsStringSync()) : null;
  final app = await PackageInfo.fromPlatform();
  final random = Random.secure();
  final nonce = base64Url.encode(List.generate(18, (_) => random.nextInt(256)));
  final http.Response response;
  final String jws;
  try {
    response = await http.get(Uri.parse(baseUrl + path), headers: {
      'Authorization': 'Bearer $token',
      // On Android, the SHA-256 of the signing certificate
      'X-App-Identifier': Platform.isAndroid ? app.buildSignature : app.packageName,
      'X-Nonce': nonce,
      if (kept != null) 'If-None-Match': kept['etag'],
    }).timeout(const Duration(seconds: 10));
    jws = response.headers['x-signature'] ?? (throw const HttpException('The console cannot be reached.'));
  } on Exception {
    if (kept == null) rethrow;
    return kept['configuration'];
  }
  final claims = await verified(jws, response.bodyBytes, nonce);
  switch (response.statusCode) {
    case 200 when claims['etag'] != null:
      final Map<String, dynamic> configuration = jsonDecode(utf8.decode(response.bodyBytes));
      file.writeAsStringSync(jsonEncode({'etag': claims['etag'], 'configuration': configuration}));
      return configuration;
    case 304 when kept != null && claims['etag'] == kept['etag']:
      return kept['configuration'];
    case 401:
      throw StateError('SLIPWAY_TOKEN is not valid for ' + environment + ' or the identifier of this app.');
    case 429:
      await Future.delayed(Duration(seconds: int.parse(response.headers['retry-after'] ?? '1')));
      return readConfiguration();
    default:
      throw HttpException(response.body);
  }
}

/// Verifies a response and returns the protected header of its signature (RFC 7515, appendix F; RFC 7797).
Future<Map<String, dynamic>> verified(String jws, List<int> body, String nonce) async {
  final [header, _, signature] = jws.split('.');
  final key = SimplePublicKey(decode(publicKey), type: KeyPairType.ed25519);
  final isValid = await Ed25519().verify(
    [...utf8.encode('$header.'), ...body],
    signature: Signature(decode(signature), publicKey: key),
  );
  if (!isValid) throw StateError('The signature is wrong.');
  final Map<String, dynamic> claims = jsonDecode(utf8.decode(decode(header)));
  if (claims['alg'] != 'EdDSA' || claims['b64'] != false || claims['url'] != path || claims['nonce'] != nonce) {
    throw StateError('The response is not to this request.');
  }
  return claims;
}

List<int> decode(String text) => base64Url.decode(base64Url.normalize(text));
