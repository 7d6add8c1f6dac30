import "server-only";
import { randomBytes } from "node:crypto";
import { seal, unseal } from "@/lib/kernel/crypto/sealed";
import { hashToken } from "@/lib/kernel/crypto/tokens";

const CODE_BYTES = 16;

const place = (id: string) => ({ table: "ShareLink", id, column: "code" });

/** A new code: 128 random bits in base64url. */
export function newCode(): string {
  return randomBytes(CODE_BYTES).toString("base64url");
}

/** The SHA-256 by which the link of a code is found. A reader of the database cannot get the code from it. */
export function hashOfCode(code: string): Uint8Array<ArrayBuffer> {
  return hashToken(code);
}

export function sealCode(id: string, code: string): Uint8Array<ArrayBuffer> {
  return seal(code, place(id));
}

/** The code of a link that is not deleted. @throws SealedError */
export function unsealCode({ id, code }: { id: string; code: Uint8Array | null }): string {
  return unseal(code as Uint8Array, place(id)).toString();
}
