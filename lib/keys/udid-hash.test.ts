import { expect, it, vi } from "vitest";
import { db } from "@/lib/db/client";
import { parseMasterKeys } from "@/lib/kernel/crypto/master-keys";
import { unseal } from "@/lib/kernel/crypto/sealed";
import { newMasterKey } from "@/lib/testing/master-keys";
import { setUpTestDatabase } from "@/scripts/test-database";
import { rotateMasterKey } from "./rotation";
import { hashUdid, hashUdids } from "./udid-hash";

setUpTestDatabase();

const UDID = "00008110-001A2B3C4D5E6F70";
const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString("hex");

it("makes one key, also if the first calls are simultaneous, and uses it again after a restart", async () => {
  const other = await loadAgain();
  const [one, two] = await Promise.all([hashUdid(UDID), other.hashUdid(UDID)]);
  expect(hex(two)).toBe(hex(one));
  expect(hex(await (await loadAgain()).hashUdid(UDID))).toBe(hex(one));
  expect(await db.serverKey.count({ where: { use: "udid" } })).toBe(1);
});

it("gives one UDID one hash, however it is written, and different ones different hashes", async () => {
  const [one, lower, joined, other] = await hashUdids([UDID, UDID.toLowerCase(), UDID.replace("-", ""), "other"]);
  expect([lower, joined]).toEqual([one, one]);
  expect(other).not.toEqual(one);
  expect(one).toHaveLength(32);
});

it("keeps its key when the master key is rotated", async () => {
  await hashUdid(UDID);
  const before = await db.serverKey.findFirstOrThrow({ where: { use: "udid" } });
  const keys = parseMasterKeys(`${newMasterKey()},${process.env.MASTER_KEY}`);
  await rotateMasterKey({ progress() {}, failed() {} }, keys);
  const after = await db.serverKey.findFirstOrThrow({ where: { use: "udid" } });
  expect(after.privateJwk).not.toEqual(before.privateJwk);
  const place = { table: "ServerKey", id: after.kid, column: "privateJwk" };
  expect(unseal(after.privateJwk, place, keys)).toEqual(unseal(before.privateJwk, place));
});

async function loadAgain() {
  vi.resetModules();
  return import("./udid-hash");
}
