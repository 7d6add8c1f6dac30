// Prints the configuration of an environment. Needs Node.js 22.18, and the API token in SLIPWAY_TOKEN.
import { createPublicKey, randomUUID, verify } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { setTimeout } from "node:timers/promises";

const BASE_URL = "https://slipway.example.com";
const PATH = "/api/client/get-configuration";
const ENVIRONMENT = "Staging";
const PUBLIC_KEY = "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo";
const KEPT = "slipway-configuration.json"; // the last configuration; it contains secrets

async function send(headers: Record<string, string>) {
  const response = await fetch(BASE_URL + PATH, { headers, signal: AbortSignal.timeout(10_000) });
  const jws = response.headers.get("X-Signature");
  if (jws === null) throw new Error("The console cannot be reached.");
  return { response, jws, body: Buffer.from(await response.arrayBuffer()) };
}

/** Verifies a response and returns the protected header of its signature (RFC 7515, appendix F; RFC 7797). */
function verified(jws: string, body: Buffer, nonce: string) {
  const [header = "", , signature = ""] = jws.split(".");
  const key = createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x: PUBLIC_KEY }, format: "jwk" });
  if (!verify(null, Buffer.concat([Buffer.from(`${header}.`), body]), key, Buffer.from(signature, "base64url"))) {
    throw new Error("The signature is wrong.");
  }
  const claims = JSON.parse(Buffer.from(header, "base64url").toString());
  if (claims.alg !== "EdDSA" || claims.b64 !== false || claims.url !== PATH || claims.nonce !== nonce) {
    throw new Error("The response is not to this request.");
  }
  return claims;
}

async function readConfiguration() {
  const kept = await readFile(KEPT, "utf8")
    .then(JSON.parse)
    .catch(() => null);
  const nonce = randomUUID();
  const sent = await send({
    Authorization: `Bearer ${process.env.SLIPWAY_TOKEN}`,
    "X-App-Identifier": "com.acme.app",
    "X-Nonce": nonce,
    "If-None-Match": kept?.etag ?? "",
  }).catch((error) => {
    if (kept === null) throw error;
    return null;
  });
  if (sent === null) return kept.configuration; // offline
  const { response, jws, body } = sent;
  const { etag } = verified(jws, body, nonce);
  if (response.status === 304 && etag === kept?.etag) return kept.configuration;
  if (response.status === 401) throw new Error(`SLIPWAY_TOKEN is not valid for ${ENVIRONMENT}.`);
  if (response.status === 429) {
    await setTimeout(Number(response.headers.get("Retry-After")) * 1000);
    return readConfiguration();
  }
  if (response.status !== 200 || !etag) throw new Error(body.toString());
  const configuration = JSON.parse(body.toString());
  await writeFile(KEPT, JSON.stringify({ etag, configuration }), { mode: 0o600 });
  return configuration;
}

console.log(JSON.stringify(await readConfiguration(), null, 2));
