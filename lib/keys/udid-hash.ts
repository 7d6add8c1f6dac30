import "server-only";
import { createHmac, createSecretKey, type KeyObject, randomBytes } from "node:crypto";
import { db } from "@/lib/db/client";
import { seal, unseal } from "@/lib/kernel/crypto/sealed";
import { newId } from "@/lib/kernel/ids";
import { normalizeUdid } from "@/lib/kernel/udid";

/** The use of the key in `ServerKey`. */
const USE = "udid";
const KEY_BYTES = 32;

let key: Promise<KeyObject> | undefined;

/**
 * The console's key for UDIDs, made by the first call on any instance. It is sealed by the master key and stays when that is
 * rotated, so that hashes stay comparable.
 */
async function udidKey(): Promise<KeyObject> {
  const find = () => db.serverKey.findFirst({ where: { use: USE, retiredAt: null } });
  let row = await find();
  if (!row) {
    const kid = newId();
    const privateJwk = seal(randomBytes(KEY_BYTES), { table: "ServerKey", id: kid, column: "privateJwk" });
    // Of two instances that make a key at the same moment, both use the first one.
    await db.serverKey.createMany({ data: [{ kid, use: USE, publicJwk: {}, privateJwk }], skipDuplicates: true });
    row = await find();
  }
  if (!row) throw new Error("no key for UDIDs is in service");
  return createSecretKey(unseal(row.privateJwk, { table: "ServerKey", id: row.kid, column: "privateJwk" }));
}

/**
 * The keyed hashes (HMAC-SHA-256) by which UDIDs are searched and compared, such as those of devices with those of a profile.
 * Different ways to write the same UDID have the same hash. A text that is no UDID is hashed as it is.
 */
export async function hashUdids(udids: readonly string[]): Promise<Uint8Array<ArrayBuffer>[]> {
  key ??= udidKey();
  // A failed call must not stay the answer of all later ones.
  const opened = await key.catch((error) => {
    key = undefined;
    throw error;
  });
  return udids.map((udid) =>
    Uint8Array.from(
      createHmac("sha256", opened)
        .update(normalizeUdid(udid) ?? udid.trim())
        .digest(),
    ),
  );
}

/** The keyed hash of one UDID; see `hashUdids`. */
export async function hashUdid(udid: string): Promise<Uint8Array<ArrayBuffer>> {
  const [hash] = await hashUdids([udid]);
  return hash as Uint8Array<ArrayBuffer>;
}
