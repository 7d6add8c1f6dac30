import "server-only";
import { createPrivateKey, createPublicKey, type KeyObject } from "node:crypto";
import { calculateJwkThumbprint, exportJWK, generateKeyPair, importJWK, type JWK } from "jose";
import { type Db, db } from "@/lib/db/client";
import { queryRows, sql } from "@/lib/db/query";
import { SealedError, seal, unseal } from "@/lib/kernel/crypto/sealed";
import { SettingsError } from "@/lib/kernel/env";
import { processSingleton } from "@/lib/kernel/process-singleton";
import { DAY_MS } from "@/lib/kernel/time";

const ALGORITHMS = { enc: "RSA-OAEP-256", sig: "EdDSA", push: "ES256" } as const;
type KeyUse = keyof typeof ALGORITHMS;

/** The keys whose public halves are published as a JWK set. */
const PUBLISHED: readonly KeyUse[] = ["enc", "sig"];

/** How long an instance signs with a key before it checks whether the key is still in service. */
export const SIGNING_KEY_CHECK_MS = 60_000;

/** How long the public half of a retired key is published, so that signatures made with it can still be verified. */
export const RETIRED_KEY_DAYS = 30;
const RETIRED_KEY_MS = RETIRED_KEY_DAYS * DAY_MS;

const KEY_OPTIONS = { enc: { modulusLength: 3072 }, sig: { crv: "Ed25519" }, push: {} } as const;

async function makeKey(from: Db, use: KeyUse): Promise<void> {
  const { publicKey, privateKey } = await generateKeyPair(ALGORITHMS[use], { ...KEY_OPTIONS[use], extractable: true });
  const publicJwk = await exportJWK(publicKey);
  const kid = await calculateJwkThumbprint(publicJwk);
  const privateJwk = seal(JSON.stringify(await exportJWK(privateKey)), {
    table: "ServerKey",
    id: kid,
    column: "privateJwk",
  });
  const jwk = { ...publicJwk, use, alg: ALGORITHMS[use], kid };
  // Two instances that start together both make a key pair; the first row is used by both.
  await from.serverKey.createMany({ data: [{ kid, use, publicJwk: jwk, privateJwk }], skipDuplicates: true });
}

function openPrivateJwk({ kid, privateJwk }: { kid: string; privateJwk: Uint8Array }): string {
  return unseal(privateJwk, { table: "ServerKey", id: kid, column: "privateJwk" }).toString();
}

interface StoredKey {
  kid: string;
  use: string;
  privateJwk: Uint8Array;
  inService: boolean;
}

/**
 * Creates the key pairs that all instances share if they do not exist, and opens them. Called at the start.
 * @throws SettingsError if the given master keys do not open them; it names the missing one
 */
export async function ensureServerKeys(): Promise<void> {
  const readKeys = () =>
    queryRows<StoredKey>(
      db,
      sql`SELECT "kid", "use", "privateJwk", "retiredAt" IS NULL AS "inService" FROM "ServerKey"`,
    );
  let rows = await readKeys();
  const missing = (["enc", "sig", "push"] as const).filter(
    (use) => !rows.some((row) => row.inService && row.use === use),
  );
  for (const use of missing) await makeKey(db, use);
  if (missing.length > 0) rows = await readKeys();
  for (const row of rows) {
    try {
      openPrivateJwk(row);
    } catch (error) {
      if (!(error instanceof SealedError)) throw error;
      throw new SettingsError(`MASTER_KEY: ${error.message}; what the database holds was sealed under another one`);
    }
  }
  await signingKey(new Date());
}

/**
 * The public halves as a JWK set (RFC 7517): of the keys in service and, for 30 days, of the retired ones. The newest of
 * each use is the first.
 */
export async function publicKeys(now: Date = new Date()): Promise<JWK[]> {
  const rows = await db.serverKey.findMany({
    where: {
      use: { in: [...PUBLISHED] },
      OR: [{ retiredAt: null }, { retiredAt: { gt: new Date(now.getTime() - RETIRED_KEY_MS) } }],
    },
    orderBy: [{ use: "asc" }, { createdAt: "desc" }],
  });
  return rows.map(({ publicJwk }) => publicJwk as JWK);
}

const privateKeys = new Map<string, CryptoKey | Uint8Array>();

/** The private half of the key that passwords are encrypted for; null if no such key id exists. */
export async function decryptionKey(kid: string): Promise<CryptoKey | Uint8Array | null> {
  const known = privateKeys.get(kid);
  if (known) return known;
  const row = await db.serverKey.findFirst({ where: { kid, use: "enc" } });
  if (!row) return null;
  const key = await importJWK(JSON.parse(openPrivateJwk(row)), "RSA-OAEP-256");
  privateKeys.set(kid, key);
  return key;
}

/** The private half of the key that answers are signed with. */
export interface SigningKey {
  kid: string;
  key: KeyObject;
}

interface CheckedSigningKey extends SigningKey {
  /** Unix time in milliseconds. */
  checkedAt: number;
}

const signingKeys = processSingleton("signing-key", () => ({ current: null as CheckedSigningKey | null }));

/**
 * The key in service that answers are signed with. It stays in memory, and is looked up again after a minute, so that an
 * instance follows a rotation that another process made.
 */
export async function signingKey(now: Date): Promise<SigningKey> {
  const kept = signingKeys.get();
  if (kept.current && Math.abs(now.getTime() - kept.current.checkedAt) < SIGNING_KEY_CHECK_MS) return kept.current;
  const [row] = await queryRows<{ kid: string; privateJwk: Uint8Array }>(
    db,
    sql`SELECT "kid", "privateJwk" FROM "ServerKey" WHERE "use" = 'sig' AND "retiredAt" IS NULL LIMIT 1`,
  );
  if (!row) throw new Error("no signing key is in service");
  const key =
    kept.current?.kid === row.kid
      ? kept.current.key
      : createPrivateKey({ key: JSON.parse(openPrivateJwk(row)), format: "jwk" });
  kept.current = { kid: row.kid, key, checkedAt: now.getTime() };
  return kept.current;
}

/** The signing key with an ID, retired or not. @throws Error if there is none */
export async function signingKeyOf(from: Db, kid: string): Promise<SigningKey> {
  const row = await from.serverKey.findFirstOrThrow({ where: { kid, use: "sig" } });
  return { kid, key: createPrivateKey({ key: JSON.parse(openPrivateJwk(row)), format: "jwk" }) };
}

/**
 * The public half of a signing key of this console, retired or not; null if there is none. It is derived from the
 * private half, so a key that was only written to the database does not count.
 */
export async function ownVerificationKey(from: Db, kid: string): Promise<KeyObject | null> {
  const row = await from.serverKey.findFirst({ where: { kid, use: "sig" }, select: { kid: true } });
  if (!row) return null;
  try {
    return createPublicKey((await signingKeyOf(from, kid)).key);
  } catch (error) {
    if (error instanceof SealedError) return null;
    throw error;
  }
}

/**
 * Puts a new signing key into service. Two rotations at the same moment make one.
 * @param options.revoke removes the old keys instead of retiring them: nothing that they signed can be verified any more
 * @returns the id of the new key
 */
export async function rotateSigningKey(tx: Db, now: Date, { revoke = false } = {}): Promise<string> {
  const where = { use: "sig", retiredAt: null };
  if (revoke) await tx.serverKey.deleteMany({ where: { use: "sig" } });
  else await tx.serverKey.updateMany({ where, data: { retiredAt: now } });
  await makeKey(tx, "sig");
  const { kid } = await tx.serverKey.findFirstOrThrow({ where, select: { kid: true } });
  return kid;
}

/** The keys with which the console identifies itself to push services (VAPID, RFC 8292), in base64url. */
interface PushKeys {
  /** The uncompressed point, with which browsers subscribe. */
  publicKey: string;
  privateKey: string;
}

const pushKeysInUse = processSingleton("push-keys", () => ({ current: null as PushKeys | null }));

/**
 * The keys for push services. They are made once and never replaced: each subscription of a browser is bound to them. They stay in
 * memory.
 */
export async function pushKeys(): Promise<PushKeys> {
  const kept = pushKeysInUse.get();
  if (kept.current) return kept.current;
  const row = await db.serverKey.findFirst({ where: { use: "push", retiredAt: null } });
  if (!row) throw new Error("no key for push services is in service");
  const { x = "", y = "", d = "" } = JSON.parse(openPrivateJwk(row)) as JWK;
  const point = [Buffer.from([4]), Buffer.from(x, "base64url"), Buffer.from(y, "base64url")];
  kept.current = { publicKey: Buffer.concat(point).toString("base64url"), privateKey: d };
  return kept.current;
}
