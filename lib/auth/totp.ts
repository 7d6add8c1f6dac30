import "server-only";
import { generateSecret, generateURI, verifySync } from "otplib";

/** What the console's codes are made with; the name of the algorithm is otplib's. */
const ALGORITHM = "sha256";
const DIGITS = 6;
/** Seconds for which a code stands. */
const STEP_SECONDS = 30;
/** As long as the hash, as RFC 6238 (section 5.1) advises. */
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
    // A colon would end the issuer's name within the label.
    issuer: issuer.replaceAll(":", " ").trim(),
    label: account,
    secret,
    algorithm: ALGORITHM,
    digits: DIGITS,
    period: STEP_SECONDS,
  });
}

/**
 * The time step that a code is of (RFC 6238), with one step of tolerance each side for clocks that differ and for slow
 * fingers. Compared in constant time.
 *
 * @param secret in base32
 * @param code six digits
 * @param algorithm another than the console's own only to recognise an app that uses it
 * @returns the number of the step since 1970; null where the code is of none of the three
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
