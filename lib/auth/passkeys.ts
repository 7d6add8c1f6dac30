import "server-only";
import {
  generateAuthenticationOptions,
  generateRegistrationOptions,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from "@simplewebauthn/server";
import { COSEALG, decodeAttestationObject, decodeClientDataJSON } from "@simplewebauthn/server/helpers";
import type { Db } from "@/lib/db/client";
import { env } from "@/lib/kernel/env";
import { issueNonce, redeemNonce } from "./nonces";
import { issueToken, redeemToken, TOKEN_LIFETIME_SECONDS } from "./one-time-tokens";

/** The signature algorithms of passkeys, in order of preference. Every browser offers one of them. */
const ALGORITHMS = [COSEALG.ES256, COSEALG.EdDSA, COSEALG.RS256];

/** A credential as it is stored, in raw bytes. */
interface StoredCredential {
  credentialId: Uint8Array;
  /** COSE key (RFC 9052). */
  publicKey: Uint8Array;
  /** The authenticator's signature counter; 0 if it does not count. */
  counter: bigint;
}

/** A credential that was just created. */
interface NewCredential {
  credentialId: Uint8Array<ArrayBuffer>;
  publicKey: Uint8Array<ArrayBuffer>;
  counter: bigint;
  backedUp: boolean;
}

/** What a use of a credential changes about it. */
export interface CredentialUse {
  counter: bigint;
  backedUp: boolean;
}

/** A credential as browsers send it, in WebAuthn's JSON format. */
interface Sent<R> {
  id: string;
  rawId: string;
  response: R & { clientDataJSON: string };
}

/** WebAuthn's relying party: the console at its public address. */
function relyingParty(): { id: string; origin: string } {
  const { hostname, origin } = new URL(env.APP_URL);
  return { id: hostname, origin };
}

/** A credential as the options of a ceremony name it. */
function descriptorOf({ credentialId, transports }: { credentialId: Uint8Array; transports: string[] }) {
  return { id: Buffer.from(credentialId).toString("base64url"), transports };
}

/** A user's id as authenticators store and return it: the bytes of its text. */
export function userHandle(userId: string): string {
  return Buffer.from(userId).toString("base64url");
}

/**
 * The options with which the browser creates a passkey: a discoverable credential, with user verification, on an
 * authenticator that has none of this user's. The challenge is a one-time token of the user.
 */
export async function creationOptions(
  tx: Db,
  ceremony: {
    rpName: string;
    user: { id: string; email: string; displayName: string };
    existing: readonly { credentialId: Uint8Array; transports: string[] }[];
    now: Date;
  },
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  const { token } = await issueToken(tx, { purpose: "passkey-create", subject: ceremony.user.id, now: ceremony.now });
  return generateRegistrationOptions({
    rpName: ceremony.rpName,
    rpID: relyingParty().id,
    challenge: Uint8Array.from(Buffer.from(token, "base64url")),
    userID: Uint8Array.from(Buffer.from(ceremony.user.id)),
    userName: ceremony.user.email,
    userDisplayName: ceremony.user.displayName,
    timeout: TOKEN_LIFETIME_SECONDS["passkey-create"] * 1000,
    attestationType: "none",
    authenticatorSelection: { residentKey: "required", userVerification: "required" },
    supportedAlgorithmIDs: ALGORITHMS,
    excludeCredentials: ceremony.existing.map(descriptorOf),
  });
}

/**
 * The purpose of a challenge: a sign-in, or the confirmation of one session's second factor.
 */
type PasskeyUse = "passkey-login" | `passkey-confirm ${string}`;

/** The purpose of the challenges that confirm a session's second factor. */
export function confirmationOf(sessionId: string): PasskeyUse {
  return `passkey-confirm ${sessionId}`;
}

/**
 * The options with which the browser uses a passkey. The challenge is a nonce, so nothing is stored for visitors who do
 * not use it.
 * @param allowed the passkeys to choose from; any passkey of the console if left out
 */
export function requestOptions(
  use: PasskeyUse,
  now: Date,
  allowed?: readonly { credentialId: Uint8Array; transports: string[] }[],
): Promise<PublicKeyCredentialRequestOptionsJSON> {
  return generateAuthenticationOptions({
    rpID: relyingParty().id,
    challenge: issueNonce(use, now),
    userVerification: "required",
    timeout: TOKEN_LIFETIME_SECONDS.nonce * 1000,
    allowCredentials: allowed?.map(descriptorOf),
  });
}

/** The challenge of a browser's response; null if it is unreadable or from another site. */
function challengeOf(sent: Sent<object>): string | null {
  try {
    const { challenge, crossOrigin } = decodeClientDataJSON(sent.response.clientDataJSON);
    // In a frame on another site, the user cannot see which site asks, even if the frame is from our origin.
    return typeof challenge === "string" && crossOrigin !== true ? challenge : null;
  } catch {
    return null;
  }
}

/**
 * Redeems the challenge that a new passkey was made for, before the answer is verified.
 * @returns the challenge; null if it is unknown, expired, used, or was issued for another purpose or user
 */
export async function redeemCreationChallenge(
  db: Db,
  sent: Sent<object>,
  { userId, now }: { userId: string; now: Date },
): Promise<string | null> {
  const challenge = challengeOf(sent);
  if (challenge === null) return null;
  const presented = { purpose: "passkey-create", subject: userId, token: challenge, now } as const;
  return (await redeemToken(db, presented)) && challenge;
}

/** The same for the challenge of `requestOptions`. */
export async function redeemRequestChallenge(sent: Sent<object>, use: PasskeyUse, now: Date): Promise<string | null> {
  const challenge = challengeOf(sent);
  if (challenge === null) return null;
  const nonce = Buffer.from(challenge, "base64url").toString();
  return (await redeemNonce(use, nonce, now)) ? challenge : null;
}

/**
 * Whether a credential comes without an attestation by certificates, as requested. Verifying certificates would have the
 * server request addresses that the caller chose.
 */
function attestsNothing(attestationObject: string): boolean {
  const decoded = decodeAttestationObject(Uint8Array.from(Buffer.from(attestationObject, "base64url")));
  const format = decoded.get("fmt");
  return format === "none" || (format === "packed" && decoded.get("attStmt").get("x5c") === undefined);
}

/**
 * Verifies a browser's response for a new passkey (WebAuthn Level 3, 7.1): challenge, exact origin and RP ID, presence and
 * verification of the user, one of the fixed algorithms.
 * @returns the credential; null if the response is not valid
 */
export async function verifyCreation(
  sent: Sent<{ attestationObject: string }>,
  challenge: string,
): Promise<NewCredential | null> {
  const { id, origin } = relyingParty();
  try {
    if (!attestsNothing(sent.response.attestationObject)) return null;
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: { ...sent, type: "public-key", clientExtensionResults: {} },
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: id,
      requireUserVerification: true,
      supportedAlgorithmIDs: ALGORITHMS,
    });
    if (!verified) return null;
    const { credential, credentialBackedUp } = registrationInfo;
    return {
      credentialId: Uint8Array.from(Buffer.from(credential.id, "base64url")),
      publicKey: Uint8Array.from(credential.publicKey),
      counter: BigInt(credential.counter),
      backedUp: credentialBackedUp,
    };
  } catch {
    // The library throws if the response is not valid. It depends on nothing else.
    return null;
  }
}

/**
 * Stands for an unknown credential, so that verifying takes as long as for a wrong signature: an ES256 key whose point is
 * the generator of P-256.
 */
const DECOY: StoredCredential = {
  credentialId: new Uint8Array(16),
  publicKey: Buffer.from(
    "a5010203262001215820" +
      "6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296" +
      "225820" +
      "4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5",
    "hex",
  ),
  counter: 0n,
};

/**
 * Verifies a browser's response to `requestOptions` (WebAuthn Level 3, 7.2): challenge, exact origin and RP ID, presence
 * and verification of the user, the signature, and that the counter has increased if there is one.
 * @param stored null if the credential is unknown; verifying then takes as long and fails
 * @returns what to store of this use; null if the response is not valid
 */
export async function verifyRequest(
  sent: Sent<{ authenticatorData: string; signature: string; userHandle?: string | null }>,
  challenge: string,
  stored: StoredCredential | null,
): Promise<CredentialUse | null> {
  const { id, origin } = relyingParty();
  const { publicKey, counter } = stored ?? DECOY;
  const { userHandle: owner, ...response } = sent.response;
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: {
        ...sent,
        type: "public-key",
        clientExtensionResults: {},
        response: { ...response, userHandle: owner ?? undefined },
      },
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: id,
      requireUserVerification: true,
      credential: { id: sent.id, publicKey: Uint8Array.from(publicKey), counter: Number(counter) },
    });
    if (!verified || stored === null) return null;
    const { newCounter, credentialBackedUp } = authenticationInfo;
    return { counter: BigInt(newCounter), backedUp: credentialBackedUp };
  } catch {
    return null;
  }
}
