import { expect, it, onTestFinished } from "vitest";
import { type MasterKeys, parseMasterKeys } from "@/lib/kernel/crypto/master-keys";
import { seal } from "@/lib/kernel/crypto/sealed";
import { newMasterKey } from "@/lib/testing/master-keys";
import { setUpTestDatabase } from "@/scripts/test-database";
import { createBackup } from "./create";
import { newDeployment, newFolder, newKeys, onDatabase } from "./testing/deployment";
import { verifyContent } from "./verify";

setUpTestDatabase();

const [older, newer] = [newMasterKey(), newMasterKey()];

/** A deployment with a value that is sealed with the newer key. @returns a function that makes a backup of it */
async function aRotatedDeployment() {
  const { url, store, drop } = await newDeployment();
  onTestFinished(drop);
  const place = { table: "ServerKey", id: "rotated", column: "privateJwk" };
  await onDatabase(url, (client) =>
    client.query(`INSERT INTO "ServerKey" ("kid", "use", "publicJwk", "privateJwk") VALUES ($1, 'sig', '{}', $2)`, [
      place.id,
      seal("secret", place, parseMasterKeys(newer)),
    ]),
  );
  const { identity, recipient } = await newKeys();
  const folder = newFolder();
  const backUp = (masterKeys: MasterKeys) =>
    createBackup({
      connectionString: url,
      folder,
      recipients: [recipient],
      masterKeys,
      storage: store,
      now: new Date("2026-11-22T02:30:00Z"),
    });
  return { folder, identity, backUp };
}

it("a backup is refused while this process lacks a master key that seals a value", async () => {
  const { folder, backUp } = await aRotatedDeployment();
  const refusal = await backUp(parseMasterKeys(older)).catch((error) => error);
  expect(refusal).toMatchObject({ name: "BackupError", problem: "master_key" });
  expect(refusal.message).toContain(parseMasterKeys(newer).current.id);
  expect(refusal.message).toContain("restart it");
  expect(await folder.list()).toEqual([]);
});

it("a backup needs no master key but those that seal its values", async () => {
  const { folder, identity, backUp } = await aRotatedDeployment();
  // As the schedule has them if it was not restarted since the newer key was added after the older one.
  const { summary } = await backUp(parseMasterKeys(`${older},${newer}`));
  const { faults } = await verifyContent(folder, summary.id, {
    identities: [identity],
    masterKeys: parseMasterKeys(newer),
  });
  expect(faults).toEqual([]);
});
