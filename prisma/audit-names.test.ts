import { cpSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type pg from "pg";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { applyMigrations } from "@/lib/db/migrations";
import { newId } from "@/lib/kernel/ids";
import { createTestDatabase, openPool, type TestDatabase } from "@/scripts/test-database.ts";

const MIGRATIONS = join(import.meta.dirname, "migrations");
const NAME = readdirSync(MIGRATIONS).find((name) => name.endsWith("_audit_names")) as string;
const ANDROID = "019a0000-0000-7000-8000-000000000012";

let database: TestDatabase;
let pool: pg.Pool;
let directory: string;

beforeAll(async () => {
  database = await createTestDatabase({ empty: true });
  pool = openPool({ connectionString: database.url });
  directory = mkdtempSync(join(tmpdir(), "slipway-audit-names-"));
});
afterAll(async () => {
  await pool.end();
  await database.drop();
  rmSync(directory, { recursive: true });
});

const migrate = () =>
  applyMigrations({ connectionString: database.url, directory, log: { info: vi.fn(), warn: vi.fn() } });
const copy = (names: readonly string[]) => {
  for (const name of names) cpSync(join(MIGRATIONS, name), join(directory, name), { recursive: true });
};

async function write(record: {
  table: string;
  recordId: string | null;
  action?: string;
  changes?: object;
  tokenId?: string;
}) {
  const { table, recordId, action = "update", changes = {}, tokenId = null } = record;
  const { rows } = await pool.query<{ id: string }>(
    `INSERT INTO "AuditRecord" ("id", "userId", "tokenId", "table", "recordId", "action", "eventDate", "changes", "ip", "requestId",
       "previousHash", "hash")
     VALUES (0, NULL, $1, $2, $3, $4, now(), $5, NULL, 'r', '', '') RETURNING "id"`,
    [tokenId, table, recordId, action, changes],
  );
  return Number(rows[0]?.id);
}

const namesOf = async (id: string) =>
  (
    await pool.query<{ name: string }>(`SELECT "name" FROM "AuditName" WHERE "subjectId" = $1 ORDER BY 1`, [id])
  ).rows.map(({ name }) => name);
const recordsOf = async (id: string) =>
  (
    await pool.query<{ id: string }>(
      `SELECT "recordId" AS "id" FROM "AuditMention" WHERE "subjectId" = $1 ORDER BY 1`,
      [id],
    )
  ).rows.map((row) => Number(row.id));

it("keeps what is still known of the records before it, and records of the previous version", async () => {
  const all = readdirSync(MIGRATIONS).filter((name) => /^\d/.test(name));
  copy(all.filter((name) => name < NAME));
  await migrate();
  const [appId, environmentId, fileId, releaseId, gone, goneKey, tokenId, userId] = Array.from(
    { length: 8 },
    newId,
  ) as [string, string, string, string, string, string, string, string];
  await pool.query(`INSERT INTO "App" ("id", "name", "identifier") VALUES ($1, 'Atlas', 'com.atlas')`, [appId]);
  await pool.query(`INSERT INTO "Environment" ("id", "appId", "name", "identifiers") VALUES ($1, $2, 'QA', '{}')`, [
    environmentId,
    appId,
  ]);
  await pool.query(
    `INSERT INTO "File" ("id", "storageKey", "name", "contentType", "purpose", "size") VALUES ($1, 'a', 'a', 'b', 'installer', 1)`,
    [fileId],
  );
  await pool.query(
    `INSERT INTO "Release" ("id", "environmentId", "platformId", "fileId", "version", "buildNumber", "identifier", "displayName",
       "description", "iosEnabled", "installer", "metadata", "deployDate")
     VALUES ($1, $2, $3, $4, '3.2.0', '336', 'a', 'A', 'd', true, '{"kind": "apk"}', '{}', now())`,
    [releaseId, environmentId, ANDROID, fileId],
  );
  await pool.query(
    `INSERT INTO "User" ("id", "firstNames", "lastNames", "email", "roleId", "provider", "updatedAt")
     VALUES ($1, 'Ada', 'Lovelace', 'ada@example.test', '019a0000-0000-7000-8000-000000000001', 'email', now())`,
    [userId],
  );
  const release = await write({ table: "Release", recordId: releaseId });
  const deleted = await write({
    table: "Release",
    recordId: gone,
    action: "delete",
    changes: { environmentId: [environmentId, null], version: ["1.0", null], buildNumber: ["7", null] },
  });
  const key = await write({
    table: "SecureVariable",
    recordId: goneKey,
    action: "delete",
    changes: { key: ["API_KEY", null], value: ["•••", null], environmentId: ["no id", null] },
  });
  const published = await write({ table: "Release", recordId: null, tokenId });
  await write({ table: "AuthProvider", recordId: "google" });

  copy(all.filter((name) => name >= NAME));
  await migrate();
  expect(await Promise.all([appId, environmentId, releaseId, gone, goneKey, userId].map(namesOf))).toEqual([
    ["Atlas"],
    ["QA"],
    ["Android 3.2.0 (336)"],
    ["1.0 (7)"],
    ["API_KEY"],
    ["Ada Lovelace (ada@example.test)"],
  ]);
  expect(await recordsOf(appId)).toEqual([release, deleted]);
  expect(await recordsOf(environmentId)).toEqual([release, deleted]);
  expect(await recordsOf(tokenId)).toEqual([published]);
  expect(key).toBe(3);
  const { rows: secrets } = await pool.query(`SELECT 1 FROM "AuditName" WHERE "name" LIKE '%•%'`);
  expect(secrets).toEqual([]);

  // The previous version adds records without names.
  const later = await write({ table: "Release", recordId: releaseId, tokenId });
  expect(await recordsOf(tokenId)).toEqual([published, later]);
  // Mentions from before and after have the table and action of their record.
  const { rows: kinds } = await pool.query(
    `SELECT m."table", m."action", count(*)::int AS "count" FROM "AuditMention" m
       JOIN "AuditRecord" r ON (r."id", r."table", r."action") = (m."recordId", m."table", m."action")
     GROUP BY 1, 2 ORDER BY 1, 2`,
  );
  expect(kinds).toEqual([
    { table: "Release", action: "delete", count: 2 },
    { table: "Release", action: "update", count: 4 },
  ]);
});
