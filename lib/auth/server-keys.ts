import "server-only";
import { calculateJwkThumbprint, exportJWK, generateKeyPair, importJWK, type JWK } from "jose";
import { db } from "@/lib/db/client";
import { SealedError, seal, unseal } from "@/lib/kernel/crypto/sealed";
import { SettingsError } from "@/lib/kernel/env";

const ALGORITHMS = { enc: "RSA-OAEP-256", sig: "EdDSA" } as const;
type KeyUse = keyof typeof ALGORITHMS;

async function makeKey(use: KeyUse): Promise<void> {
  const { publicKey, privateKey } =
    use === "enc"
      ? await generateKeyPair("RSA-OAEP-256", { modulusLength: 3072, extractable: true })
      : await generateKeyPair("EdDSA", { crv: "Ed25519", extractable: true });
  const publicJwk = await exportJWK(publicKey);
  const kid = await calculateJwkThumbprint(publicJwk);
  const privateJwk = seal(JSON.stringify(await exportJWK(privateKey)), {
    table: "ServerKey",
    id: kid,
    column: "privateJwk",
  });
  const jwk = { ...publicJwk, use, alg: ALGORITHMS[use], kid };
  // Two instances that start together both make one; the first row wins and serves both.
  await db.serverKey.createMany({ data: [{ kid, use, publicJwk: jwk, privateJwk }], skipDuplicates: true });
}

/**
 * Makes the key pairs that all instances share, where they are not there yet, and opens them. Called at the start.
 * @throws SettingsError where the given master keys do not open them; it names the one that is missing
 */
export async function ensureServerKeys(): Promise<void> {
  const there = new Set((await db.serverKey.findMany({ select: { use: true } })).map(({ use }) => use));
  for (const use of ["enc", "sig"] as const) if (!there.has(use)) await makeKey(use);
  for (const { kid, privateJwk } of await db.serverKey.findMany()) {
    try {
      unseal(privateJwk, { table: "ServerKey", id: kid, column: "privateJwk" });
    } catch (error) {
      if (!(error instanceof SealedError)) throw error;
      throw new SettingsError(`MASTER_KEY: ${error.message}; what the database holds was sealed under another one`);
    }
  }
}

/** The public halves as a JWK set (RFC 7517). */
export async function publicKeys(): Promise<JWK[]> {
  const rows = await db.serverKey.findMany({ orderBy: { use: "asc" } });
  return rows.map(({ publicJwk }) => publicJwk as JWK);
}

const privateKeys = new Map<string, CryptoKey | Uint8Array>();

/** The private half of the key that passwords are encrypted for; null where no such key id exists. */
export async function decryptionKey(kid: string): Promise<CryptoKey | Uint8Array | null> {
  const known = privateKeys.get(kid);
  if (known) return known;
  const row = await db.serverKey.findFirst({ where: { kid, use: "enc" } });
  if (!row) return null;
  const jwk = JSON.parse(unseal(row.privateJwk, { table: "ServerKey", id: kid, column: "privateJwk" }).toString());
  const key = await importJWK(jwk, "RSA-OAEP-256");
  privateKeys.set(kid, key);
  return key;
}
