import "server-only";
import { createHash, randomBytes } from "node:crypto";

/** Returns the SHA-256 under which a token is stored. A slow hash is not needed for 256 random bits. */
export function hashToken(token: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(createHash("sha256").update(token).digest());
}

/** Returns 256 random bits in base64url. */
export function randomToken(): string {
  return randomBytes(32).toString("base64url");
}

/** Returns the CRC-32 (ISO-HDLC) in base 36, which detects mistyped tokens without a database query. */
function checksum(text: string): string {
  let crc = 0xffffffff;
  for (const byte of Buffer.from(text)) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return ((crc ^ 0xffffffff) >>> 0).toString(36).padStart(7, "0");
}

const API_TOKEN = /^slw_([A-Za-z0-9_-]{43})([0-9a-z]{7})$/;

/** Generates an API token: `slw_`, 256 random bits and a checksum. Secret scanners can recognize the format. */
export function newApiToken(): string {
  const secret = randomToken();
  return `slw_${secret}${checksum(secret)}`;
}

/** Returns whether a text has the format and checksum of an API token. */
export function looksLikeApiToken(text: string): boolean {
  const match = API_TOKEN.exec(text);
  return match !== null && checksum(match[1] as string) === match[2];
}
