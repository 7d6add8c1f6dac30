import { expect, it, onTestFinished } from "vitest";
import { type MasterKeys, parseMasterKeys } from "@/lib/kernel/crypto/master-keys";
import { seal } from "@/lib/kernel/crypto/sealed";
import { newMasterKey } from "@/lib/testing/master-keys";
import { setUpTestDatabase } from "@/scripts/test-database";
import { createBackup } from "./create";
import { addFile, backUp, newDeployment, newFolder, newKeys, onDatabase } from "./testing/deployment";
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

it.each([
  ["before other files are copied", 3],
  ["while the last files are copied", 1],
])("a backup that loses its lock ends without a summary: %s", async (_when, files) => {
  const { drop, ...deployment } = await newDeployment();
  onTestFinished(drop);
  for (let n = 0; n < files; n++) await addFile(deployment, Buffer.from(`file ${n}`));
  const [folder, { recipient }] = [newFolder(), await newKeys()];
  const copied: string[] = [];
  const store = new Proxy(deployment.store, {
    get(target, name) {
      if (name !== "get") return Reflect.get(target, name).bind?.(target) ?? Reflect.get(target, name);
      return async (key: string) => {
        copied.push(key);
        // The restart of a database ends all connections.
        if (copied.length === 1)
          await onDatabase(deployment.url, (client) =>
            client.query(
              "SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()",
            ),
          );
        return target.get(key);
      };
    },
  });
  await expect(backUp({ ...deployment, store }, folder, recipient)).rejects.toMatchObject({ problem: "interrupted" });
  expect([copied.length, await folder.list()]).toEqual([Math.min(files, 2), []]);
  await expect(backUp(deployment, folder, recipient)).resolves.toMatchObject({
    copied: { objects: files - copied.length },
    lost: [],
  });
});
