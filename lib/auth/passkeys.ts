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

/** The signatures that a passkey may make, in the order in which they are wished for; what every browser offers. */
const ALGORITHMS = [COSEALG.ES256, COSEALG.EdDSA, COSEALG.RS256];

/** A credential as it is kept; all in raw bytes. */
export interface StoredCredential {
  credentialId: Uint8Array;
  /** COSE key (RFC 9052). */
  publicKey: Uint8Array;
  /** How often it has signed, as its authenticator counts; 0 where it does not. */
  counter: bigint;
}

/** A credential that has just been made. */
export interface NewCredential {
  credentialId: Uint8Array<ArrayBuffer>;
  publicKey: Uint8Array<ArrayBuffer>;
  counter: bigint;
  backedUp: boolean;
}

/** What a sign-in tells about the credential. */
export interface CredentialUse {
  counter: bigint;
  backedUp: boolean;
}

/** A credential as browsers send it, in WebAuthn's JSON form. */
interface Sent<R> {
  id: string;
  rawId: string;
  response: R & { clientDataJSON: string };
}

/** Whom passkeys are made for (WebAuthn's relying party): the console's public address and nothing else. */
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
 * What the browser needs to make a passkey: one that needs no e-mail typed later (discoverable), that asks for finger,
 * face or PIN each time, and that the user's authenticators do not hold yet. The challenge is a one-time token of the
 * user.
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
 * What a passkey is asked to sign: a sign-in, which is the same for everyone, or the confirmation of a session's second
 * factor.
 */
export type PasskeyUse = "passkey-login" | `passkey-confirm ${string}`;

/** The confirmation of one session's second factor. */
export function confirmationOf(sessionId: string): PasskeyUse {
  return `passkey-confirm ${sessionId}`;
}

/**
 * What the browser needs to use a passkey. The challenge is a nonce: nothing is stored for people who open a page and
 * leave.
 * @param allowed the passkeys to choose from; any passkey of the console where left out
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

/** The challenge that a browser's answer was made for; null where it cannot be read, or is of another site. */
function challengeOf(sent: Sent<object>): string | null {
  try {
    const { challenge, crossOrigin } = decodeClientDataJSON(sent.response.clientDataJSON);
    // Within a page of another site nobody sees who asks, even where the frame itself is of our origin.
    return typeof challenge === "string" && crossOrigin !== true ? challenge : null;
  } catch {
    return null;
  }
}

/**
 * Redeems the challenge that a new passkey was made for, before the answer is verified.
 * @returns the challenge; null where it is unknown, expired, used, or was issued for something or someone else
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
 * Only what attests nothing is looked at, as it was asked for. Other statements bring certificates of the caller's
 * choice, and following those would lead the server to addresses that the caller chose.
 */
function attestsNothing(attestationObject: string): boolean {
  const decoded = decodeAttestationObject(Uint8Array.from(Buffer.from(attestationObject, "base64url")));
  const format = decoded.get("fmt");
  return format === "none" || (format === "packed" && decoded.get("attStmt").get("x5c") === undefined);
}

/**
 * Checks what a browser says of a new passkey (WebAuthn Level 3, 7.1): challenge, exact origin and RP id, presence and
 * verification of the user, one of the pinned algorithms.
 * @returns the credential; null where anything of it does not hold
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
    // The library tells by an error whatever does not hold; nothing outside of the answer itself is involved.
    return null;
  }
}

/**
 * Checked against where there is no such credential, so that this costs the same as a wrong signature: an ES256 key
 * whose point is the generator of P-256.
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
 * Checks a browser's answer to `requestOptions` (WebAuthn Level 3, 7.2): challenge, exact origin and RP id, presence and
 * verification of the user, the signature, and a counter that rises where there is one.
 * @param stored null where no such credential is known; it takes as long and says no
 * @returns what to keep of it; null where anything of it does not hold
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
