import "server-only";
import { createHash, createPublicKey, type KeyObject, sign, verify } from "node:crypto";
import { z } from "zod";
import { type AuditHead, FIRST_HASH } from "./chain";

/** What a checkpoint says: how many records the log of a console had at an instant, and the hash of the last one. */
export const checkpointSchema = z.strictObject({
  version: z.literal(1),
  /** The URL of the console. */
  console: z.string(),
  /** The number of records, which is the ID of the last one. */
  records: z.number().int().min(0),
  /** The hash of the last record, in hexadecimal; 64 zeros if there is none. */
  headHash: z.string().regex(/^[0-9a-f]{64}$/),
  createdAt: z.iso.datetime(),
  /** The ID of the key (RFC 7638), as `config/get-public-key` publishes it. */
  kid: z.string(),
  /** The public key: Ed25519, SubjectPublicKeyInfo in DER, base64 (RFC 8410). */
  publicKey: z.base64(),
  /** Ed25519 over the other members in the form of RFC 8785, base64 (RFC 8032). */
  signature: z.base64(),
});
export type Checkpoint = z.output<typeof checkpointSchema>;

/** What is signed: the members but the signature, as canonical JSON (RFC 8785). All are texts of ASCII or whole numbers. */
export function signedBytes({
  signature: _,
  ...members
}: Omit<Checkpoint, "signature"> & { signature?: string }): Buffer {
  const sorted = Object.entries(members).sort(([one], [other]) => (one < other ? -1 : 1));
  return Buffer.from(JSON.stringify(Object.fromEntries(sorted)));
}

/** The public half of a key as checkpoints contain it. */
export function publicKeyText(key: KeyObject): string {
  const publicKey = key.type === "public" ? key : createPublicKey(key);
  return publicKey.export({ type: "spki", format: "der" }).toString("base64");
}

/** The ID of an Ed25519 key: the thumbprint of RFC 7638. */
export function keyIdOf(key: KeyObject): string {
  const { crv, kty, x } = (key.type === "public" ? key : createPublicKey(key)).export({ format: "jwk" });
  return createHash("sha256").update(JSON.stringify({ crv, kty, x })).digest("base64url");
}

/**
 * Signs the head of a log.
 * @param head null if the log is empty
 */
export function signCheckpoint(
  head: AuditHead | null,
  { console, now, kid, key }: { console: string; now: Date; kid: string; key: KeyObject },
): Checkpoint {
  const members = {
    version: 1 as const,
    console: new URL(console).href,
    records: Number(head?.id ?? 0),
    headHash: head?.hash ?? FIRST_HASH,
    createdAt: now.toISOString(),
    kid,
    publicKey: publicKeyText(key),
  };
  return { ...members, signature: sign(null, signedBytes(members), key).toString("base64") };
}

/** Whether a checkpoint is signed by the key that it contains, and that key has the ID that it names. */
export function isSigned(checkpoint: Checkpoint): boolean {
  try {
    const key = createPublicKey({ key: Buffer.from(checkpoint.publicKey, "base64"), format: "der", type: "spki" });
    if (key.asymmetricKeyType !== "ed25519" || keyIdOf(key) !== checkpoint.kid) return false;
    return verify(null, signedBytes(checkpoint), key, Buffer.from(checkpoint.signature, "base64"));
  } catch {
    // The key is none.
    return false;
  }
}

/** The head that a checkpoint is about; null if the log was empty. */
export function headOf({ records, headHash }: Checkpoint): AuditHead | null {
  return records === 0 ? null : { id: String(records), hash: headHash };
}
