import "server-only";
import { X509Certificate } from "node:crypto";
import type { Identity } from "@slipway/certificates/authority";
import { issueSigner } from "@slipway/certificates/cms";
import { db } from "@/lib/db/client";
import { seal, unseal } from "@/lib/kernel/crypto/sealed";
import { newId } from "@/lib/kernel/ids";
import { DAY_MS } from "@/lib/kernel/time";

/** The use of the key in `ServerKey`. */
const USE = "profile";
const DAYS = 3_650;
/** A certificate that ends within this time is replaced. */
const RENEWAL_MS = 30 * DAY_MS;

const place = (kid: string) => ({ table: "ServerKey", id: kid, column: "privateJwk" });

let kept: Identity | undefined;

function endsSoon({ certificate }: Identity, now: Date): boolean {
  return new X509Certificate(certificate).validToDate.getTime() - now.getTime() < RENEWAL_MS;
}

async function find(): Promise<{ kid: string; signer: Identity } | null> {
  const row = await db.serverKey.findFirst({ where: { use: USE, retiredAt: null } });
  if (!row) return null;
  const { certificate } = row.publicJwk as { certificate: string };
  const signer = {
    certificate: Uint8Array.from(Buffer.from(certificate, "base64")),
    privateKey: Uint8Array.from(unseal(row.privateJwk, place(row.kid))),
  };
  return { kid: row.kid, signer };
}

/**
 * The key and the self-signed certificate with which the console signs configuration profiles, made by the first call on
 * any instance. The key is sealed.
 */
export async function profileSigner(now: Date): Promise<Identity> {
  if (kept && !endsSoon(kept, now)) return kept;
  let found = await find();
  if (found && endsSoon(found.signer, now)) {
    await db.serverKey.updateMany({ where: { kid: found.kid, retiredAt: null }, data: { retiredAt: now } });
    found = null;
  }
  if (!found) {
    const made = await issueSigner({ name: "Slipway", days: DAYS, now });
    const kid = newId();
    const publicJwk = { certificate: Buffer.from(made.certificate).toString("base64") };
    const data = [{ kid, use: USE, publicJwk, privateJwk: seal(made.privateKey, place(kid)) }];
    // Of two instances that make one at the same moment, both use the first.
    await db.serverKey.createMany({ data, skipDuplicates: true });
    found = await find();
  }
  if (!found) throw new Error("no key for profiles is in service");
  kept = found.signer;
  return kept;
}
