import "server-only";
import { randomBytes } from "node:crypto";
import { hashToken } from "@/lib/kernel/crypto/tokens";

/** The number of codes in a set. */
const RECOVERY_CODES = 10;

/** Crockford's base 32: without letters that are easily mistaken. */
const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";
const GROUPS = 4;
const GROUP_LENGTH = 6;

/** A new set of codes of 120 random bits each, in four groups: `k3v9xm-7t2q8h-…`. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: RECOVERY_CODES }, newRecoveryCode);
}

function newRecoveryCode(): string {
  // 256 is a multiple of 32, so that every letter is as likely as the others.
  const letters = Array.from(randomBytes(GROUPS * GROUP_LENGTH), (byte) => ALPHABET[byte % ALPHABET.length]).join("");
  return letters.match(new RegExp(`.{${GROUP_LENGTH}}`, "g"))?.join("-") as string;
}

/**
 * The form in which a code is stored and compared: SHA-256, which is enough for 120 random bits. Case, spaces, hyphens,
 * `o` for zero and `i` or `l` for one make no difference.
 */
export function hashRecoveryCode(code: string): Uint8Array<ArrayBuffer> {
  const letters = code
    .toLowerCase()
    .replaceAll(/[\s\p{Pd}]/gu, "")
    .replaceAll("o", "0")
    .replaceAll(/[il]/g, "1");
  return hashToken(letters);
}
