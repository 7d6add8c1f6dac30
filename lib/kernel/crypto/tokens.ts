import "server-only";
import { createHash, randomBytes } from "node:crypto";

/** SHA-256, the form in which random tokens are kept (they have 256 bits; a slow hash would add nothing). */
export function hashToken(token: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(createHash("sha256").update(token).digest());
}

/** 256 random bits in base64url. */
export function randomToken(): string {
  return randomBytes(32).toString("base64url");
}

/** CRC-32 (ISO-HDLC) in base 36: catches a mistyped or cut token before the database is asked. */
function checksum(text: string): string {
  let crc = 0xffffffff;
  for (const byte of Buffer.from(text)) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return ((crc ^ 0xffffffff) >>> 0).toString(36).padStart(7, "0");
}

const API_TOKEN = /^slw_([A-Za-z0-9_-]{43})([0-9a-z]{7})$/;

/** A new API token: `slw_`, 256 random bits and a checksum, so that secret scanners can recognise one. */
export function newApiToken(): string {
  const secret = randomToken();
  return `slw_${secret}${checksum(secret)}`;
}

/** Whether a text can be an API token at all. */
export function looksLikeApiToken(text: string): boolean {
  const match = API_TOKEN.exec(text);
  return match !== null && checksum(match[1] as string) === match[2];
}
