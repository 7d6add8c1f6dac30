import { randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import { db } from "@/lib/db/client";
import { parseMasterKeys } from "@/lib/kernel/crypto/master-keys";
import { seal } from "@/lib/kernel/crypto/sealed";
import { SettingsError } from "@/lib/kernel/env";
import { DAY_MS } from "@/lib/kernel/time";
import { setUpTestDatabase } from "@/scripts/test-database";
import { ensureServerKeys, publicKeys, RETIRED_KEY_DAYS, rotateSigningKey, signingKey } from "./server-keys";

setUpTestDatabase();

it("makes one pair for passwords and one for signatures, also if several instances start at the same time", async () => {
  await Promise.all([ensureServerKeys(), ensureServerKeys(), ensureServerKeys()]);
  const keys = await publicKeys();
  expect(keys.map(({ use, alg }) => [use, alg])).toEqual([
    ["enc", "RSA-OAEP-256"],
    ["sig", "EdDSA"],
  ]);
  for (const key of keys) expect(key).not.toHaveProperty("d");
});

describe("the rotation of the signing key", () => {
  const start = new Date("2026-11-22T12:00:00Z");
  const later = (ms: number) => new Date(start.getTime() + ms);
  const signatureKids = async (now: Date) =>
    (await publicKeys(now)).filter(({ use }) => use === "sig").map(({ kid }) => kid);

  it("publishes the new key first, and the retired one for 30 more days", async () => {
    const before = await signatureKids(start);
    const kid = await db.$transaction((tx) => rotateSigningKey(tx, start));
    expect(before).not.toContain(kid);
    expect(await signatureKids(later(RETIRED_KEY_DAYS * DAY_MS - 1))).toEqual([kid, ...before]);
    expect(await signatureKids(later(RETIRED_KEY_DAYS * DAY_MS))).toEqual([kid]);
  });

  it("is followed within a minute by an instance that signs", async () => {
    const { kid: old } = await signingKey(later(DAY_MS));
    const kid = await db.$transaction((tx) => rotateSigningKey(tx, later(DAY_MS)));
    expect((await signingKey(later(DAY_MS + 59_999))).kid).toBe(old);
    expect((await signingKey(later(DAY_MS + 60_000))).kid).toBe(kid);
  });

  it("makes one key where two run at the same moment", async () => {
    const rotate = () => db.$transaction((tx) => rotateSigningKey(tx, later(2 * DAY_MS)));
    const [one, other] = await Promise.all([rotate(), rotate()]);
    const { kid } = await db.serverKey.findFirstOrThrow({ where: { use: "sig", retiredAt: null } });
    expect([one, other]).toContain(kid);
    expect(await db.serverKey.count({ where: { use: "sig", retiredAt: null } })).toBe(1);
  });

  it("leaves nothing of the old keys where they are revoked", async () => {
    const kid = await db.$transaction((tx) => rotateSigningKey(tx, later(3 * DAY_MS), { revoke: true }));
    expect(await signatureKids(later(3 * DAY_MS))).toEqual([kid]);
    expect(await db.serverKey.count({ where: { use: "sig" } })).toBe(1);
  });
});

it("refuses to start under other master keys, and names the one that is missing", async () => {
  const other = parseMasterKeys(randomBytes(32).toString("base64"));
  const [row] = await db.serverKey.findMany();
  if (!row) throw new Error("there is no key to reseal");
  const privateJwk = seal("{}", { table: "ServerKey", id: row.kid, column: "privateJwk" }, other);
  await db.serverKey.update({ where: { kid: row.kid }, data: { privateJwk } });
  await expect(ensureServerKeys()).rejects.toThrow(SettingsError);
  await expect(ensureServerKeys()).rejects.toThrow(other.current.id);
});
