import "server-only";
import { sign } from "node:crypto";
import { invalidField } from "@/lib/kernel/errors";
import { signingKey } from "./server-keys";

/** The header that an answer's signature is in. */
export const SIGNATURE_HEADER = "X-Signature";
/** The header with which a caller asks for a signature of this very answer. */
const NONCE_HEADER = "X-Nonce";

/** Base64, base64url, hex and UUIDs fit. */
const NONCE = /^[\w.~+/=-]{1,128}$/;

/**
 * The nonce of a request; undefined if it sends none.
 * @throws ApiError validation_failed if it has more than 128 characters, or others than letters, digits and `._~+/=-`
 */
export function requestNonce(headers: Headers): string | undefined {
  const nonce = headers.get(NONCE_HEADER) ?? undefined;
  if (nonce !== undefined && !NONCE.test(nonce)) throw invalidField(NONCE_HEADER, "invalidFormat");
  return nonce;
}

/** What a signature says of an answer besides its body. */
interface SignedFacts {
  /** The path and the query of the request. */
  url: string;
  nonce: string | undefined;
  /** The entity tag of the answer: what a client keeps with the body, and what a 304 confirms without one. */
  etag?: string;
  now: Date;
}

function base64url(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString("base64url");
}

/**
 * Signs an answer: a detached JWS in compact form (RFC 7515, appendix F) over the unencoded body (RFC 7797, `b64: false`),
 * by Ed25519 (RFC 8037).
 * @param body exactly as it is sent
 * @returns `<protected header>..<signature>`
 */
export async function signAnswer(body: Uint8Array, { url, nonce, etag, now }: SignedFacts): Promise<string> {
  const { kid, key } = await signingKey(now);
  const iat = Math.floor(now.getTime() / 1000);
  const header = base64url({ alg: "EdDSA", kid, b64: false, crit: ["b64"], iat, url, nonce, etag });
  const signature = sign(null, Buffer.concat([Buffer.from(`${header}.`, "ascii"), body]), key);
  return `${header}..${signature.toString("base64url")}`;
}
