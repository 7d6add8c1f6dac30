import { beforeAll, describe, expect, it } from "vitest";
import { databasePool, db } from "@/lib/db/client";
import { masterKeys, parseMasterKeys } from "@/lib/kernel/crypto/master-keys";
import { seal, unseal } from "@/lib/kernel/crypto/sealed";
import { SettingsError } from "@/lib/kernel/env";
import { untilWaitingForLocks } from "@/lib/testing/locks";
import { fillSealedColumns, newMasterKey, SECRET } from "@/lib/testing/master-keys";
import { setUpTestDatabase } from "@/scripts/test-database";
import { countMasterKeyUse, requireMasterKeys } from "./master-key-use";
import { rotateMasterKey, type UnopenedValue, verifySealedValues } from "./rotation";
import { SEALED_COLUMNS } from "./sealed-columns";

setUpTestDatabase();

const SIGNING_KEYS = 1_200;
const [older, newer] = [newMasterKey(), newMasterKey()];
const both = parseMasterKeys(`${newer},${older}`);
const onlyNewer = parseMasterKeys(newer);
const oldId = parseMasterKeys(older).current.id;
let total: number;

beforeAll(async () => {
  total = await fillSealedColumns(older, { signingKeys: SIGNING_KEYS });
});

const quiet = { progress() {}, failed() {} };

async function verify(keys = both) {
  const failures: UnopenedValue[] = [];
  const { opened } = await verifySealedValues({ progress() {}, failed: (value) => failures.push(value) }, keys);
  return { opened, failures };
}

const valuesOf = async (keyId: string) =>
  (await countMasterKeyUse()).reduce((sum, use) => sum + (use.keyId === keyId ? use.count : 0), 0);

/** A row of ServerKey in the place of an index. */
const kidOf = (index: number) => `test-${String(index).padStart(8, "0")}`;
const placeOf = (kid: string) => ({ table: "ServerKey", id: kid, column: "privateJwk" });

describe("the start", () => {
  it("names the key that is missing, how many values it wraps and what to do", async () => {
    const refusal = await requireMasterKeys().catch((error) => error);
    expect(refusal).toBeInstanceOf(SettingsError);
    expect(refusal.message).toContain(`the key ${oldId} is missing and wraps ${total} values`);
    expect(refusal.message).toContain("ConfigurationSecret.value: 2");
    expect(refusal.message).toContain("npm run keys -- rotate");
  });
});

describe("the rotation of the master key", () => {
  it("covers every sealed column in the test", async () => {
    const columns = (await countMasterKeyUse()).map(({ column }) => column);
    expect(columns).toEqual(SEALED_COLUMNS.map(({ table, column }) => `${table}.${column}`));
    expect(await valuesOf(oldId)).toBe(total);
  });

  it("does not overwrite a value that is changed between reading and writing", async () => {
    const kid = kidOf(700);
    const client = await databasePool().connect();
    await client.query("BEGIN");
    const changed = seal("changed during the rotation", placeOf(kid), parseMasterKeys(older));
    await client.query('UPDATE "ServerKey" SET "privateJwk" = $1 WHERE "kid" = $2', [changed, kid]);
    const rotation = rotateMasterKey(quiet, both);
    await untilWaitingForLocks(1);
    await client.query("COMMIT");
    client.release();
    expect(await rotation).toEqual({ rewrapped: total - 1, changed: 1, failed: 0 });
    const row = await db.serverKey.findUniqueOrThrow({ where: { kid } });
    expect(unseal(row.privateJwk, placeOf(kid), both).toString()).toBe("changed during the rotation");
  });

  it("run again, wraps what was left, and then nothing", async () => {
    const progress: unknown[] = [];
    const listener = { ...quiet, progress: (one: object) => progress.push({ ...one }) };
    expect(await rotateMasterKey(listener, both)).toEqual({ rewrapped: 1, changed: 0, failed: 0 });
    expect(progress).toEqual([
      { total: 1, done: 0 },
      { total: 1, done: 1 },
    ]);
    expect(await rotateMasterKey(quiet, both)).toEqual({ rewrapped: 0, changed: 0, failed: 0 });
  });

  it("leaves every value to the new key alone", async () => {
    expect(await valuesOf(onlyNewer.current.id)).toBe(total);
    expect(await verify(onlyNewer)).toEqual({ opened: total, failures: [] });
    const row = await db.serverKey.findUniqueOrThrow({ where: { kid: kidOf(1) } });
    expect(unseal(row.privateJwk, placeOf(kidOf(1)), onlyNewer).toString()).toBe(SECRET);
  });

  it("names a value whose key is missing, and goes on with the others", async () => {
    const [lost, kept] = [kidOf(2), kidOf(3)];
    const lostKeys = parseMasterKeys(newMasterKey());
    for (const [kid, keys] of [
      [lost, lostKeys],
      [kept, parseMasterKeys(older)],
    ] as const) {
      await db.serverKey.update({ where: { kid }, data: { privateJwk: seal(SECRET, placeOf(kid), keys) } });
    }
    const failures: UnopenedValue[] = [];
    const listener = { progress() {}, failed: (value: UnopenedValue) => failures.push(value) };
    expect(await rotateMasterKey(listener, both)).toEqual({ rewrapped: 1, changed: 0, failed: 1 });
    expect(failures).toEqual([{ ...placeOf(lost), reason: expect.stringContaining(lostKeys.current.id) }]);
    await db.serverKey.delete({ where: { kid: lost } });
  });
});

describe("the verification", () => {
  it("names a value that was moved to another row, and one that was damaged, and shows neither", async () => {
    const [from, to, damaged] = [kidOf(10), kidOf(11), kidOf(12)];
    const { privateJwk } = await db.serverKey.findUniqueOrThrow({ where: { kid: from } });
    await db.serverKey.update({ where: { kid: to }, data: { privateJwk } });
    await db.serverKey.update({ where: { kid: damaged }, data: { privateJwk: Buffer.from("damaged") } });
    const { opened, failures } = await verify();
    expect(failures).toEqual([
      { ...placeOf(to), reason: "a sealed value does not open at this place" },
      { ...placeOf(damaged), reason: "not a sealed value" },
    ]);
    expect(opened).toBe(total - 1 - 2);
    expect(await countMasterKeyUse()).toContainEqual({ column: "ServerKey.privateJwk", keyId: null, count: 1 });
    await db.serverKey.deleteMany({ where: { kid: { in: [to, damaged] } } });
  });

  it("reads a value that is larger than a batch", async () => {
    const kid = kidOf(13);
    const large = seal(new Uint8Array(9 * 1024 * 1024), placeOf(kid), both);
    await db.serverKey.update({ where: { kid }, data: { privateJwk: large } });
    expect((await verify()).failures).toEqual([]);
  });
});

it("the start has nothing to say once the settings have every key", async () => {
  await rotateMasterKey(quiet, parseMasterKeys(`${process.env.MASTER_KEY},${newer}`));
  expect(await valuesOf(masterKeys().current.id)).toBe(total - 3);
  await expect(requireMasterKeys()).resolves.toBeUndefined();
});
