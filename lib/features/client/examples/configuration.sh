#!/usr/bin/env bash
# Prints the configuration of an environment. Needs curl, jq and OpenSSL 3, and the API token in SLIPWAY_TOKEN.
set -euo pipefail
umask 077

url=https://slipway.example.com
path=/api/client/get-configuration
environment=Staging
public_key=11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo
kept=slipway-configuration.json # the last configuration; it contains secrets

fail() { echo "$1" >&2 && exit 1; }
decode() { tr '_-' '/+' | awk '{ while (length($0) % 4) $0 = $0 "="; printf "%s", $0 }' | openssl base64 -d -A; }
header() { tr -d '\r' < "$dir/head" | awk -v name="$1:" 'tolower($1) == name { print $2 }'; }
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

request() {
  nonce=$(openssl rand -hex 16)
  etag=$(cat "$kept.etag" 2> /dev/null || true)
  : > "$dir/body"
  # curl reads the token from its input, so that the list of processes does not show it.
  if ! status=$(curl --silent --show-error --max-time 10 --write-out '%{http_code}' \
    --header @- --header "X-Nonce: $nonce" --header "If-None-Match: $etag" \
    --header "X-App-Identifier: "com.acme.app \
    --dump-header "$dir/head" --output "$dir/body" "$url$path" <<< "Authorization: Bearer $SLIPWAY_TOKEN") \
    || [ -z "$(header x-signature)" ]; then
    status=offline
    return
  fi
  jws=$(header x-signature)
  { printf '%s.' "${jws%%.*}" && cat "$dir/body"; } > "$dir/input"
  printf %s "${jws##*.}" | decode > "$dir/signature"
  # The key with the header of its DER form (RFC 8410)
  { printf '\060\052\060\005\006\003\053\145\160\003\041\000' && printf %s "$public_key" | decode; } > "$dir/key"
  openssl pkeyutl -verify -pubin -keyform DER -inkey "$dir/key" -rawin -in "$dir/input" -sigfile "$dir/signature" \
    > /dev/null || fail "The signature is wrong."
  printf %s "${jws%%.*}" | decode > "$dir/claims"
  jq --exit-status --arg url "$path" --arg nonce "$nonce" \
    '.alg == "EdDSA" and .b64 == false and .url == $url and .nonce == $nonce' "$dir/claims" > /dev/null \
    || fail "The response is not to this request."
}

request
while [ "$status" = 429 ]; do
  sleep "$(header retry-after)"
  request
done
case $status in
  200)
    etag=$(jq --exit-status --raw-output .etag "$dir/claims") || fail "The response is not to this request."
    cp "$dir/body" "$kept"
    printf %s "$etag" > "$kept.etag"
    ;;
  304) [ "$(jq --raw-output .etag "$dir/claims")" = "$etag" ] || fail "The response is not to this request." ;;
  401) fail "SLIPWAY_TOKEN is not valid for $environment." ;;
  offline) [ -f "$kept" ] || fail "The console cannot be reached." ;;
  *) fail "$(cat "$dir/body")" ;;
esac
cat "$kept"
