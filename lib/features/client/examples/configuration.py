# Prints the configuration of an environment. Needs Python 3.9 and the package cryptography, and the API token in
# SLIPWAY_TOKEN.
import base64
import json
import os
import secrets
import time
import urllib.error
import urllib.request

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

BASE_URL = "https://slipway.example.com"
PATH = "/api/client/get-configuration"
ENVIRONMENT = "Staging"
PUBLIC_KEY = "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"
KEPT = "slipway-configuration.json"  # the last configuration; it contains secrets


def send(headers):
    try:
        response = urllib.request.urlopen(urllib.request.Request(BASE_URL + PATH, headers=headers), timeout=10)
    except urllib.error.HTTPError as error:
        response = error
    with response:
        if response.headers["X-Signature"] is None:
            raise ConnectionError("The console cannot be reached.")
        return response.status, response.headers, response.read()


def decode(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def verified(jws, body, nonce):
    """Verifies a response and returns the protected header of its signature (RFC 7515, appendix F; RFC 7797)."""
    header, _, signature = jws.split(".")
    key = Ed25519PublicKey.from_public_bytes(decode(PUBLIC_KEY))
    key.verify(decode(signature), header.encode() + b"." + body)
    claims = json.loads(decode(header))
    if (claims["alg"], claims["b64"], claims["url"], claims.get("nonce")) != ("EdDSA", False, PATH, nonce):
        raise ValueError("The response is not to this request.")
    return claims


def read_configuration():
    kept = None
    if os.path.exists(KEPT):
        with open(KEPT, encoding="utf-8") as file:
            kept = json.load(file)
    nonce = secrets.token_hex(16)
    request = {
        "Authorization": "Bearer " + os.environ["SLIPWAY_TOKEN"],
        "X-App-Identifier": "com.acme.app",
        "X-Nonce": nonce,
        "If-None-Match": kept["etag"] if kept else "",
    }
    try:
        status, headers, body = send(request)
    except OSError:
        if kept is None:
            raise
        return kept["configuration"]  # offline
    etag = verified(headers["X-Signature"], body, nonce).get("etag")
    if status == 304 and kept and etag == kept["etag"]:
        return kept["configuration"]
    if status == 401:
        raise PermissionError("SLIPWAY_TOKEN is not valid for " + ENVIRONMENT + ".")
    if status == 429:
        time.sleep(int(headers["Retry-After"]))
        return read_configuration()
    if status != 200 or etag is None:
        raise RuntimeError(body.decode())
    configuration = json.loads(body)
    with open(os.open(KEPT, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8") as file:
        json.dump({"etag": etag, "configuration": configuration}, file)
    return configuration


print(json.dumps(read_configuration(), indent=2))
