import { randomBytes, randomUUID } from "node:crypto";
import { cp, mkdir, readdir, readFile, rm, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import fc from "fast-check";
import type pg from "pg";
import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished } from "vitest";
import { applyMigrations } from "@/lib/db/migrations";
import { masterKeys, parseMasterKeys } from "@/lib/kernel/crypto/master-keys";
import { env } from "@/lib/kernel/env";
import { newId } from "@/lib/kernel/ids";
import { isRemovalPaused } from "@/lib/storage/removal";
import { newMasterKey } from "@/lib/testing/master-keys";
import { createTestDatabase, setUpTestDatabase } from "@/scripts/test-database";
import type { BackupFolder } from "./folder";
import {
  addAuditRecord,
  addFile,
  backUp,
  contentOf,
  type Deployment,
  insertAuditRecord,
  insertFile,
  MIGRATIONS,
  newDeployment,
  newFolder,
  newKeys,
  onDatabase,
  restoreInto,
} from "./testing/deployment";
import { verifyContent, verifyFiles } from "./verify";

setUpTestDatabase();

/** A deployment that is dropped after the test. */
async function aDeployment(options?: { empty?: boolean }): Promise<Deployment> {
  const { drop, ...deployment } = await newDeployment(options);
  onTestFinished(drop);
  return deployment;
}

/** Inserts an application with an environment, a variable, a user and a session. */
async function insertApp(client: pg.Client, name: string, description: string | null): Promise<void> {
  const [appId, environmentId, userId] = [newId(), newId(), newId()];
  await client.query(`INSERT INTO "App" ("id", "name", "identifier", "description") VALUES ($1, $2, $3, $4)`, [
    appId,
    name,
    `com.example.${appId}`,
    description,
  ]);
  await client.query(`INSERT INTO "Environment" ("id", "appId", "name", "identifiers") VALUES ($1, $2, 'Test', $3)`, [
    environmentId,
    appId,
    [name, description ?? ""],
  ]);
  await client.query(
    `INSERT INTO "User" ("id", "firstNames", "lastNames", "email", "roleId", "provider", "passwordHash")
     SELECT $1, $2, 'Ü', $3, "id", 'email', '$argon2id$v=19$m=1' FROM "Role" LIMIT 1`,
    [userId, name, `${userId}@example.test`],
  );
  await client.query(
    `INSERT INTO "Session" ("id", "userId", "tokenHash", "method", "expiresAt", "absoluteExpiresAt")
     VALUES ($1, $2, $3, 'password', now() + interval '1 hour', 'infinity')`,
    [newId(), userId, randomBytes(32)],
  );
  await client.query(
    `INSERT INTO "DevVariable" ("id", "environmentId", "name", "key", "value", "version", "updatedAt")
     VALUES ($1, $2, 'Name', 'KEY', $3, 1, now())`,
    [newId(), environmentId, description ?? ""],
  );
}

function addApp({ url }: Deployment, name: string, description: string | null): Promise<void> {
  return onDatabase(url, (client) => insertApp(client, name, description));
}

describe("a backup and its restore", () => {
  it("bring back all rows and objects, whatever they contain", async () => {
    // PostgreSQL's texts cannot contain NUL.
    const text = fc.string({ unit: "binary", maxLength: 80 }).map((value) => value.replaceAll("\0", ""));
    const awkward = fc.oneof(text, fc.constantFrom("\\N", "\\.", "a\tb\nc\\d\r", "", "'\"$1;--", "😀\u2028"));
    const entry = fc.record({
      name: awkward,
      description: fc.option(awkward),
      bytes: fc.uint8Array({ maxLength: 200_000, size: "max" }),
      contentType: fc.constantFrom("application/zip", "image/png"),
      changes: fc.jsonValue(),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(entry, { minLength: 10, maxLength: 15 }), async (entries) => {
        const [source, target, keys] = [await newDeployment(), await newDeployment({ empty: true }), await newKeys()];
        try {
          await onDatabase(source.url, async (client) => {
            for (const { name, description, bytes, contentType, changes } of entries) {
              await insertApp(client, name.slice(0, 100), description);
              await insertFile(client, source.store, bytes, contentType);
              await insertAuditRecord(client, JSON.parse(JSON.stringify(changes).replaceAll("\\u0000", "")));
            }
          });
          const folder = newFolder();
          const expected = await contentOf(source);
          const { lost } = await backUp(source, folder, keys.recipient);
          expect(lost).toEqual([]);
          const result = await restoreInto(target, folder, keys.identity);
          expect(result.auditRecords).toBe(entries.length);
          expect(await contentOf(target)).toEqual(expected);
        } finally {
          await source.drop();
          await target.drop();
        }
      }),
      // Two databases, a backup and a restore take most of the time of a run, and rows almost none.
      { numRuns: 2 },
    );
  });

  it("keep triggers, generated columns, sequences and counts working", async () => {
    const [source, target, keys, folder] = [await aDeployment(), await aDeployment(), await newKeys(), newFolder()];
    await addApp(source, "Orbit", null);
    await addAuditRecord(source, {});
    await backUp(source, folder, keys.recipient);
    await restoreInto(target, folder, keys.identity);
    await addApp(target, "Later", null);
    await addAuditRecord(target, { later: true });
    await onDatabase(target.url, async (client) => {
      const { rows: users } = await client.query(`SELECT "searchText" FROM "User" WHERE "firstNames" = 'Orbit'`);
      expect(users[0].searchText).toContain("orbit");
      const { rows: audit } = await client.query(
        `SELECT "id"::int, "hash" = audit_record_hash(r) AS "intact" FROM "AuditRecord" r ORDER BY "id"`,
      );
      expect(audit).toEqual([
        { id: 1, intact: true },
        { id: 2, intact: true },
      ]);
      const { rows: counts } = await client.query(`SELECT sum("change")::int AS "users" FROM "UserCount"`);
      expect(counts[0].users).toBe(2);
      await expect(client.query(`DELETE FROM "AuditRecord"`)).rejects.toThrow("append-only");
    });
  });

  it("bring back a pair of equal files that were stored once in the backup", async () => {
    const [source, target, keys, folder] = [await aDeployment(), await aDeployment(), await newKeys(), newFolder()];
    const bytes = randomBytes(100_000);
    for (let count = 0; count < 4; count++) await addFile(source, bytes);
    const { copied } = await backUp(source, folder, keys.recipient);
    expect(copied.objects).toBeLessThan(4);
    await restoreInto(target, folder, keys.identity);
    expect(await contentOf(target)).toEqual(await contentOf(source));
  });

  it("remove sessions and one-time links on request", async () => {
    const [source, target, keys, folder] = [await aDeployment(), await aDeployment(), await newKeys(), newFolder()];
    await addApp(source, "Orbit", null);
    await backUp(source, folder, keys.recipient);
    await restoreInto(target, folder, keys.identity, { endSessions: true });
    const { tables } = await contentOf(target);
    expect([tables.Session?.rows, tables.OneTimeToken?.rows, tables.User?.rows]).toEqual([0, 0, 1]);
  });
});

describe("a backup", () => {
  it("copies only the objects that the folder lacks", async () => {
    const [source, keys, folder] = [await aDeployment(), await newKeys(), newFolder()];
    await addFile(source, randomBytes(70_000));
    expect((await backUp(source, folder, keys.recipient)).copied.objects).toBe(1);
    await addFile(source, randomBytes(70_000));
    const second = await backUp(source, folder, keys.recipient, new Date("2026-11-23T02:30:00Z"));
    expect(second.copied).toEqual({ objects: 1, bytes: 70_000 });
    expect(second.summary.objects).toBe(2);
  });

  it("copies all objects again for another recipient, whose key opens none of the old ones", async () => {
    const [source, target, folder] = [await aDeployment(), await aDeployment(), newFolder()];
    const [one, other] = [await newKeys(), await newKeys()];
    await addFile(source, randomBytes(1_000));
    await backUp(source, folder, one.recipient);
    expect((await backUp(source, folder, other.recipient)).copied.objects).toBe(1);
    await restoreInto(target, folder, other.identity);
    expect(await contentOf(target)).toEqual(await contentOf(source));
  });

  it("copies an object again whose file was cut short", async () => {
    const [source, keys, folder] = [await aDeployment(), await newKeys(), newFolder()];
    await addFile(source, randomBytes(70_000));
    const first = await backUp(source, folder, keys.recipient);
    const [path] = await folder.objectsOf(first.summary);
    await truncate(join(folder.path, path as string), 1_000);
    const second = await backUp(source, folder, keys.recipient, new Date("2026-11-23T02:30:00Z"));
    expect(second.copied.objects).toBe(1);
    expect(await verifyFiles(folder, second.summary)).toEqual([]);
  });

  it("has the objects of files that are deleted while it copies, because their removal is paused", async () => {
    const source = { ...(await aDeployment()), url: env.DATABASE_URL };
    const [target, keys, folder] = [await aDeployment(), await newKeys(), newFolder()];
    await addFile(source, randomBytes(50_000));
    const pauses: boolean[] = [];
    const store = new Proxy(source.store, {
      get(driver, name) {
        const member = Reflect.get(driver, name, driver);
        if (name !== "get") return typeof member === "function" ? member.bind(driver) : member;
        return async (...args: Parameters<typeof driver.get>) => {
          // Another instance deletes the release while its installer is about to be copied.
          await onDatabase(source.url, (client) => client.query(`UPDATE "File" SET "state" = 'deleting'`));
          pauses.push(await isRemovalPaused());
          return driver.get(...args);
        };
      },
    });
    await backUp({ ...source, store }, folder, keys.recipient);
    expect(pauses).toEqual([true]);
    expect(await isRemovalPaused()).toBe(false);
    const { objects } = await restoreInto(target, folder, keys.identity);
    expect(objects.restored).toBe(1);
  });

  it("names the files that the store has lost or damaged, and is made without them", async () => {
    const [source, target, keys, folder] = [await aDeployment(), await aDeployment(), await newKeys(), newFolder()];
    const [lost, damaged, kept] = [
      await addFile(source, randomBytes(1_000)),
      await addFile(source, randomBytes(1_000)),
      await addFile(source, randomBytes(1_000)),
    ];
    await source.store.delete(lost);
    await source.store.put(damaged, Readable.from([randomBytes(1_000)]), { contentType: "a/b", maxBytes: 1_000 });
    const result = await backUp(source, folder, keys.recipient);
    expect(result.lost.map((id) => `installers/${id}`).sort()).toEqual([lost, damaged].sort());
    const { manifest } = await restoreInto(target, folder, keys.identity);
    expect(manifest.lost).toEqual(result.lost);
    expect(Object.keys((await contentOf(target)).objects)).toEqual([kept]);
  });

  it("is refused while another one runs", async () => {
    const [source, keys, folder] = [await aDeployment(), await newKeys(), newFolder()];
    await onDatabase(source.url, async (client) => {
      await client.query("BEGIN");
      await client.query("SELECT pg_advisory_xact_lock(hashtextextended('backup', 0))");
      await expect(backUp(source, folder, keys.recipient)).rejects.toMatchObject({ problem: "busy" });
    });
  });

  it("is refused in a folder with the backups of another deployment", async () => {
    const [source, other, keys, folder] = [await aDeployment(), await aDeployment(), await newKeys(), newFolder()];
    await onDatabase(other.url, (client) =>
      client.query(`UPDATE "BackupState" SET "deploymentId" = gen_random_uuid()`),
    );
    await backUp(source, folder, keys.recipient);
    await expect(backUp(other, folder, keys.recipient)).rejects.toMatchObject({ problem: "foreign" });
  });

  it("contains no master key and no text of the database in clear", async () => {
    const [source, keys, folder] = [await aDeployment(), await newKeys(), newFolder()];
    await addApp(source, "a name that is easy to find", null);
    const { summary } = await backUp(source, folder, keys.recipient);
    for (const name of await readdir(folder.path, { recursive: true })) {
      const bytes = await readFile(join(folder.path, name)).catch(() => Buffer.alloc(0));
      expect(bytes.includes("easy to find")).toBe(false);
      for (const key of masterKeys().all.values()) expect(bytes.includes(key.export())).toBe(false);
    }
    expect(
      await verifyContent(folder, summary.id, { identities: [keys.identity], masterKeys: source.masterKeys }),
    ).toMatchObject({ faults: [] });
  });
});

describe("restore refuses before anything is written", () => {
  let source: Deployment & { drop(): Promise<void> };
  let target: Deployment & { drop(): Promise<void> };
  let keys: { identity: string; recipient: string };
  let original: BackupFolder;
  let before: unknown;

  beforeAll(async () => {
    [source, target, keys, original] = [await newDeployment(), await newDeployment(), await newKeys(), newFolder()];
    await addApp(source, "Orbit", null);
    await addFile(source, randomBytes(200_000));
    await addAuditRecord(source, {});
    await backUp(source, original, keys.recipient);
    before = await contentOf(target);
  });
  afterAll(async () => {
    await source.drop();
    await target.drop();
  });

  /** A copy of the backup that a test can damage. */
  async function aCopy(): Promise<BackupFolder> {
    const folder = newFolder();
    await mkdir(folder.path, { recursive: true });
    await cp(original.path, folder.path, { recursive: true });
    return folder;
  }

  async function files(folder: BackupFolder): Promise<string[]> {
    const entries = await readdir(folder.path, { recursive: true, withFileTypes: true });
    return entries
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .sort();
  }

  async function expectRefusal(problem: string | readonly string[], work: Promise<unknown>): Promise<void> {
    const error = await work.then(
      () => null,
      (reason) => reason,
    );
    expect([problem].flat()).toContain(error?.problem);
    expect(await contentOf(target)).toEqual(before);
  }

  it("a backup of which a file is cut short", async () => {
    for (const [index, file] of (await files(original)).entries()) {
      const folder = await aCopy();
      const copy = (await files(folder))[index] as string;
      const size = (await readFile(file)).length;
      for (const length of [0, Math.floor(size / 2), size - 1]) {
        await cp(file, copy);
        await truncate(copy, length);
        await expectRefusal(["damaged", "newer"], restoreInto(target, folder, keys.identity));
      }
      await rm(folder.path, { recursive: true });
    }
  });

  it("a backup of which one byte was changed, anywhere in its files", async () => {
    const folder = await aCopy();
    for (const file of await files(folder)) {
      const bytes = await readFile(file);
      const places = [0, 30, 100, 190, 220, Math.floor(bytes.length / 2), bytes.length - 1].filter(
        (at) => at < bytes.length,
      );
      for (const at of places) {
        const changed = Buffer.from(bytes);
        changed.writeUInt8(changed.readUInt8(at) ^ 1, at);
        await writeFile(file, changed);
        // A changed stanza of a header is one of another key, and a changed format may be a newer one.
        await expectRefusal(["damaged", "wrong_key", "newer"], restoreInto(target, folder, keys.identity));
      }
      await writeFile(file, bytes);
    }
    expect(await contentOf(target)).toEqual(before);
  });

  it("a backup without one of its files", async () => {
    for (const [index] of (await files(original)).entries()) {
      const folder = await aCopy();
      await rm((await files(folder))[index] as string);
      await expectRefusal(["damaged", "missing"], restoreInto(target, folder, keys.identity));
    }
  });

  it("a wrong secret key", async () => {
    const other = await newKeys();
    await expectRefusal("wrong_key", restoreInto(target, original, other.identity));
  });

  it("a backup of another deployment, whose master key is another", async () => {
    const others = parseMasterKeys(newMasterKey());
    await expectRefusal("foreign", restoreInto({ ...target, masterKeys: others }, original, keys.identity));
  });

  it("a backup that somebody else encrypted for the same public key", async () => {
    const { createBackup } = await import("./create");
    const folder = newFolder();
    const forged = parseMasterKeys(newMasterKey());
    // The forger does not have the master key, but knows its ID.
    const named = { ...forged, current: { ...forged.current, id: source.masterKeys.current.id } };
    await createBackup({
      connectionString: source.url,
      folder,
      recipients: [keys.recipient],
      storage: source.store,
      now: new Date(),
      masterKeys: named,
    });
    await expectRefusal("foreign", restoreInto(target, folder, keys.identity));
  });

  it("a backup of a newer version, with migrations that this one does not have", async () => {
    const older = join(inject("runDir"), `older-${randomUUID()}`);
    await cp(MIGRATIONS, older, { recursive: true });
    const names = (await readdir(older, { withFileTypes: true })).filter((entry) => entry.isDirectory());
    await rm(
      join(
        older,
        names
          .map(({ name }) => name)
          .sort()
          .at(-1) as string,
      ),
      { recursive: true },
    );
    await expectRefusal("newer", restoreInto(target, original, keys.identity, { migrations: older }));
  });

  it("a backup in a newer format", async () => {
    const folder = await aCopy();
    const file = (await files(folder)).find((name) => name.endsWith(".json")) as string;
    await writeFile(file, (await readFile(file, "utf8")).replace('"format": 1', '"format": 2'));
    await expectRefusal("newer", restoreInto(target, folder, keys.identity));
  });

  it("a deployment whose database is not empty", async () => {
    const used = await aDeployment();
    await addApp(used, "Mine", null);
    const content = await contentOf(used);
    await expect(restoreInto(used, original, keys.identity)).rejects.toMatchObject({ problem: "not_empty" });
    expect(await contentOf(used)).toEqual(content);
  });

  it("a deployment whose store is not empty", async () => {
    const used = await aDeployment();
    await used.store.put("installers/mine", Readable.from([Buffer.from("a")]), { contentType: "a/b", maxBytes: 1 });
    const content = await contentOf(used);
    await expect(restoreInto(used, original, keys.identity)).rejects.toMatchObject({ problem: "not_empty" });
    expect(await contentOf(used)).toEqual(content);
  });

  it("a database that a console is connected to", async () => {
    await onDatabase(target.url, async () => {
      await expect(restoreInto(target, original, keys.identity)).rejects.toMatchObject({ problem: "busy" });
    });
  });

  it("a database with tables of another program", async () => {
    const { url, drop } = await createTestDatabase({ empty: true });
    onTestFinished(drop);
    await onDatabase(url, (client) => client.query("CREATE TABLE theirs (id int)"));
    await expect(restoreInto({ ...target, url }, original, keys.identity)).rejects.toMatchObject({
      problem: "not_empty",
    });
  });
});

describe("an interrupted restore", () => {
  it("leaves no rows at any object, and continues when it is run again", async () => {
    const [source, target, keys, folder] = [
      await aDeployment(),
      await aDeployment({ empty: true }),
      await newKeys(),
      newFolder(),
    ];
    await addApp(source, "Orbit", null);
    for (let count = 0; count < 3; count++) await addFile(source, randomBytes(20_000));
    await backUp(source, folder, keys.recipient);
    for (let puts = 0; puts < 3; puts++) {
      let sent = 0;
      const store = new Proxy(target.store, {
        get(driver, name) {
          const member = Reflect.get(driver, name, driver);
          if (name !== "put") return typeof member === "function" ? member.bind(driver) : member;
          return async (...args: Parameters<typeof driver.put>) => {
            if (sent++ === 1) throw new Error("killed");
            return driver.put(...args);
          };
        },
      });
      const outcome = await restoreInto({ ...target, store }, folder, keys.identity).then(
        () => "restored",
        (error) => error.message,
      );
      const users = await onDatabase(target.url, (client) => client.query(`SELECT 1 FROM "User"`));
      expect([outcome, users.rowCount]).toEqual(puts < 2 ? ["killed", 0] : ["restored", 1]);
    }
    expect(await contentOf(target)).toEqual(await contentOf(source));
  });

  it("leaves no rows if the connection is lost while they are filled in", async () => {
    const [source, target, keys, folder] = [await aDeployment(), await aDeployment(), await newKeys(), newFolder()];
    await addApp(source, "Orbit", null);
    await backUp(source, folder, keys.recipient);
    const before = await contentOf(target);
    let steps = 0;
    const { restoreBackup } = await import("./restore");
    const killed = restoreBackup({
      connectionString: target.url,
      folder,
      identities: [keys.identity],
      masterKeys: target.masterKeys,
      storage: target.store,
      migrations: MIGRATIONS,
      progress({ of }) {
        if (of !== "rows" || steps++ !== 10) return;
        void onDatabase(target.url, (client) =>
          client.query(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()",
          ),
        );
      },
    });
    await killed.catch(() => {});
    const content = await contentOf(target);
    if (content.tables.User?.rows === 0) {
      expect(content).toEqual(before);
      await restoreInto(target, folder, keys.identity);
    }
    expect(await contentOf(target)).toEqual(await contentOf(source));
  });
});

describe("a restore of an older version's backup", () => {
  /** The migrations of a version before the last ones. */
  async function olderMigrations(): Promise<string> {
    const older = join(inject("runDir"), `older-${randomUUID()}`);
    await cp(MIGRATIONS, older, { recursive: true });
    const later = join(older, "20991231000000_later");
    await mkdir(later);
    await writeFile(
      join(later, "migration.sql"),
      `ALTER TABLE "App" ADD COLUMN "later" TEXT NOT NULL DEFAULT 'filled';`,
    );
    return older;
  }

  it("applies the migrations that came later to the restored rows", async () => {
    const [source, target, keys, folder] = [
      await aDeployment(),
      await aDeployment({ empty: true }),
      await newKeys(),
      newFolder(),
    ];
    await addApp(source, "Orbit", null);
    await backUp(source, folder, keys.recipient);
    const migrations = await olderMigrations();
    const result = await restoreInto(target, folder, keys.identity, { migrations });
    expect(result.migrations).toEqual(["20991231000000_later"]);
    const { rows } = await onDatabase(target.url, (client) => client.query(`SELECT "name", "later" FROM "App"`));
    expect(rows).toEqual([{ name: "Orbit", later: "filled" }]);
  });

  it("works in a deployment that the newer version was started in", async () => {
    const [source, target, keys, folder] = [await aDeployment(), await aDeployment(), await newKeys(), newFolder()];
    await addApp(source, "Orbit", null);
    await backUp(source, folder, keys.recipient);
    const migrations = await olderMigrations();
    await applyMigrations({
      connectionString: target.url,
      directory: migrations,
      log: { info() {}, warn() {} },
    });
    await restoreInto(target, folder, keys.identity, { migrations });
    const { rows } = await onDatabase(target.url, (client) => client.query(`SELECT "name", "later" FROM "App"`));
    expect(rows).toEqual([{ name: "Orbit", later: "filled" }]);
  });
});
