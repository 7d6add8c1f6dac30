import "server-only";
import { generateSecret, generateURI, verifySync } from "otplib";

/** The algorithm of the console's codes, by otplib's name. */
const ALGORITHM = "sha256";
const DIGITS = 6;
/** The duration of a time step. */
const STEP_SECONDS = 30;
/** The length of the hash, as RFC 6238 (section 5.1) recommends. */
const SECRET_BYTES = 32;

/** The hashes that authenticator apps compute codes with. */
export type TotpAlgorithm = "sha1" | "sha256";

/** A new secret: 256 random bits in base32 (RFC 4648), without padding. */
export function newTotpSecret(): string {
  return generateSecret({ length: SECRET_BYTES });
}

/** The `otpauth://` address that authenticator apps read from a QR code. */
export function totpUri({ issuer, account, secret }: { issuer: string; account: string; secret: string }): string {
  return generateURI({
    // A colon ends the issuer's name in the label.
    issuer: issuer.replaceAll(":", " ").trim(),
    label: account,
    secret,
    algorithm: ALGORITHM,
    digits: DIGITS,
    period: STEP_SECONDS,
  });
}

/**
 * The time step of a code (RFC 6238), with a tolerance of one step in each direction. Compares in constant time.
 *
 * @param secret in base32
 * @param code six digits
 * @param algorithm another than the console's own to recognize an app that uses it
 * @returns the number of the step since 1970; null if the code is of none of the three steps
 */
export function totpStep(secret: string, code: string, now: Date, algorithm: TotpAlgorithm = ALGORITHM): bigint | null {
  const result = verifySync({
    secret,
    token: code,
    algorithm,
    digits: DIGITS,
    period: STEP_SECONDS,
    epoch: Math.floor(now.getTime() / 1000),
    epochTolerance: STEP_SECONDS,
  });
  return result.valid && "timeStep" in result ? BigInt(result.timeStep) : null;
}
