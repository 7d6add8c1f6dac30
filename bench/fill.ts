import { hash } from "node:crypto";
import pg from "pg";
import { NIL, v7 as newId } from "uuid";
import { type MasterKeys, masterKeys } from "@/lib/kernel/crypto/master-keys";
import { type ConfigurationAmounts, configurationRows } from "./configuration-history.ts";
import { type Cell, copyInto, pick, type Rows, scrambled } from "./copy.ts";
import { fillInstallCounts } from "./fill-install-counts.ts";

/** The number of rows to add to each table. */
export interface Amounts extends ConfigurationAmounts {
  releases: number;
  /** Installs and downloads. */
  downloads: number;
  users: number;
  auditRecords: number;
}

const MINUTE_MS = 60_000;

/**
 * Adds rows to a console's database by COPY: copies of a release in all environments of its app (four of five in the
 * release's own), downloads, counts of the steps of its installations, users, audit records that continue the chain, and a configuration with its history. Each table is filled
 * in one transaction, the tables of the configuration together.
 * @param options.releaseId the release to copy; by default, the oldest one
 * @param options.environmentId the environment of the configuration; by default, the oldest one
 * @param options.keys the master keys that seal secrets; by default, those of the settings
 * @throws Error if there is no release to copy, or if the environment has a configuration already
 */
export async function fill(
  databaseUrl: string,
  amounts: Partial<Amounts>,
  options: { releaseId?: string; environmentId?: string; keys?: MasterKeys } = {},
): Promise<void> {
  const {
    releases: releaseCount = 0,
    downloads: downloadCount = 0,
    users: userCount = 0,
    auditRecords: recordCount = 0,
  } = amounts;
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    // Triggers look up rows by plans that are made when the tables are empty, and would read the whole table for each row.
    await client.query("SET synchronous_commit = off; SET maintenance_work_mem = '512MB'; SET enable_seqscan = off");
    for (const [count, generate] of [
      [releaseCount, () => releases(client, releaseCount, options.releaseId)],
      [userCount, () => users(client, userCount)],
      [recordCount, () => auditRecords(client, recordCount)],
    ] as const) {
      if (count === 0) continue;
      await client.query("BEGIN");
      const rows = await generate();
      await copyInto(client, rows);
      if (rows.table === "AuditRecord") {
        await client.query(`ALTER TABLE "AuditRecord" ENABLE TRIGGER "AuditRecord_chain"`);
      }
      await client.query("COMMIT");
    }
    if (downloadCount > 0) {
      await downloads(client, downloadCount);
      await fillInstallCounts(client, downloadCount, options.releaseId);
    }
    if (amounts.configurationVersions) {
      await client.query("BEGIN");
      await fillConfiguration(client, amounts, options);
      await client.query("COMMIT");
    }
    await client.query("VACUUM (ANALYZE)");
  } finally {
    await client.end();
  }
}

/** Adds a configuration to an environment without one. @throws Error if it has one */
async function fillConfiguration(
  client: pg.Client,
  amounts: Partial<Amounts>,
  { environmentId, keys = masterKeys() }: { environmentId?: string; keys?: MasterKeys },
): Promise<void> {
  // The trigger numbers one version at a time, which takes quadratic time in one transaction.
  await client.query(`ALTER TABLE "ConfigurationVersion" DISABLE TRIGGER "ConfigurationVersion_number"`);
  const { rows: environments } = await client.query<{ id: string; version: number }>(
    `SELECT "id", "configurationVersion" AS "version" FROM "Environment" WHERE $1::uuid IS NULL OR "id" = $1
     ORDER BY "id" LIMIT 1 FOR UPDATE`,
    [environmentId ?? null],
  );
  const environment = environments[0];
  if (environment?.version !== 0) throw new Error("There is no such environment, or it has a configuration already.");
  const { rows: people } = await client.query<{ id: string }>(`SELECT "id" FROM "User" ORDER BY "id" LIMIT 1`);
  const { developmentVariables = 0, secureVariables = 0, certificates = 0, configurationVersions = 1 } = amounts;
  const size = { developmentVariables, secureVariables, certificates, configurationVersions };
  for (const rows of configurationRows(environment.id, people[0]?.id ?? null, size, keys)) await copyInto(client, rows);
  await client.query(`UPDATE "Environment" SET "configurationVersion" = $2 WHERE "id" = $1`, [
    environment.id,
    configurationVersions,
  ]);
  await client.query(`ALTER TABLE "ConfigurationVersion" ENABLE TRIGGER "ConfigurationVersion_number"`);
}

/** Returns eight hexadecimal digits that are different for each number. */
function scramble(n: number): string {
  return scrambled(n).toString(16).padStart(8, "0");
}

/** Generates copies of a release, one minute apart, ending now. 500 consecutive ones have the same version. */
async function releases(client: pg.Client, count: number, releaseId?: string): Promise<Rows> {
  const copied = ["fileId", "iconFileId", "identifier", "displayName", "iosEnabled", "minOs", "installer", "metadata"];
  const { rows: models } = await client.query<Record<string, string | null>>(
    `SELECT "environmentId", "platformId", "createdByUser", ${copied.map((name) => `"${name}"::text`).join(", ")}
     FROM "Release" WHERE $1::uuid IS NULL OR "id" = $1 ORDER BY "id" LIMIT 1`,
    [releaseId ?? null],
  );
  const model = models[0];
  if (!model) throw new Error("There is no release to copy. Publish one first.");
  const { rows: environments } = await client.query<{ id: string }>(
    `SELECT "id" FROM "Environment" WHERE "appId" = (SELECT "appId" FROM "Environment" WHERE "id" = $1)
     ORDER BY "id" = $1 DESC, "id"`,
    [model.environmentId],
  );
  const { rows: android } = await client.query<{ id: string }>(
    `SELECT "id" FROM "Platform" WHERE "kind" = 'android' ORDER BY "id" LIMIT 1`,
  );
  const now = Date.now();
  function* cells(): Generator<Cell[]> {
    const same = copied.map((name) => model?.[name] ?? null);
    for (let n = 1; n <= count; n++) {
      yield [
        newId(),
        pick(environments, n % 5 < 4 ? 0 : Math.floor(n / 5)).id,
        (n % 3 === 0 && android[0]?.id) || (model?.platformId as string),
        `1.${Math.floor(n / 500)}`,
        n,
        `Fixes the sign-in on tablets and makes lists quicker. Ticket T${n}-${scramble(n)}.`,
        `app-${n}.ipa`,
        new Date(now - (count - n) * MINUTE_MS).toISOString(),
        model?.createdByUser ?? null,
        ...same,
      ];
    }
  }
  const own = ["id", "environmentId", "platformId", "version", "buildNumber", "description", "fileName", "deployDate"];
  return {
    table: "Release",
    columns: [...own, "createdByUser", ...copied],
    cells: cells(),
    readIndexes: BUILD_INDEXES,
  };
}

/** The indexes by which a trigger finds the build of a release. */
const BUILD_INDEXES = [
  "Release_environmentId_version_buildNumber_deployDate_id_idx",
  "Release_commit_idx",
  "Release_buildId_deployDate_id_idx",
];

/** The releases that are downloaded: the newest ones. */
const DOWNLOADED = 1_000;
/** Days on which they are downloaded, today included. */
const DOWNLOAD_DAYS = 40;
/** Rows per statement, which limits the memory that triggers use. */
const DOWNLOADS_PER_STATEMENT = 500_000;

/**
 * Adds as many installs and downloads to each of the newest releases on each of the last days, and the numbers of days that as many visits
 * leave behind.
 */
async function downloads(client: pg.Client, count: number): Promise<void> {
  await client.query(
    `CREATE TEMPORARY TABLE downloaded AS
     SELECT row_number() OVER () - 1 AS "n", "id"
     FROM (SELECT "id" FROM "Release" ORDER BY "deployDate" DESC, "id" DESC LIMIT ${DOWNLOADED}) newest`,
  );
  const { rows } = await client.query<{ count: number }>(`SELECT count(*)::int AS "count" FROM downloaded`);
  const releaseCount = rows[0]?.count ?? 0;
  for (let first = 0; first < count; first += DOWNLOADS_PER_STATEMENT) {
    await client.query(
      `INSERT INTO "ReleaseDownload" ("id", "releaseId", "at", "byLink", "kind")
       SELECT uuidv7(), d."id", now() - (i / $3) % ${DOWNLOAD_DAYS} * interval '1 day', i % 7 = 0,
         (CASE WHEN i % 3 = 0 THEN 'download' ELSE 'install' END)::"DownloadKind"
       FROM generate_series($1::int, $2::int) i JOIN downloaded d ON d."n" = i % $3::int`,
      [first, Math.min(first + DOWNLOADS_PER_STATEMENT, count) - 1, releaseCount],
    );
  }
  await client.query(
    `UPDATE "Release" r SET "downloadCount" = r."downloadCount" + $1::int / $2::int + (d."n" < $1::int % $2::int)::int
     FROM downloaded d WHERE d."id" = r."id"`,
    [count, releaseCount],
  );
  await client.query("DROP TABLE downloaded");
  await client.query(
    `INSERT INTO "DailyActivity" ("day", "environmentId", "kind", "change")
     SELECT "day", coalesce("environmentId", '${NIL}'), "kind", count(*) FROM (
       SELECT (d."at" AT TIME ZONE 'UTC')::date AS "day", r."environmentId", d."kind"::text::"ActivityKind" AS "kind"
       FROM "ReleaseDownload" d JOIN "Release" r ON r."id" = d."releaseId"
     ) fetched GROUP BY GROUPING SETS (("day", "environmentId", "kind"), ("day", "kind"))`,
  );
  // The sweeper does this every day.
  await client.query(`SELECT fold_past_activity(current_date - n) FROM generate_series(0, ${DOWNLOAD_DAYS}, 7) n`);
}

const FIRST_NAMES = ["Ada", "Grace", "Edsger", "Barbara", "Alan", "Katherine", "Ken", "Radia"];

async function users(client: pg.Client, count: number): Promise<Rows> {
  const { rows: roles } = await client.query<{ id: string }>(`SELECT "id" FROM "Role" ORDER BY "id" LIMIT 1`);
  const { rows: known } = await client.query<{ known: number }>(`SELECT count(*)::int AS "known" FROM "User"`);
  const before = known[0]?.known ?? 0;
  function* cells(): Generator<Cell[]> {
    for (let n = before; n < before + count; n++) {
      const email = `tester${n}@example.test`;
      const status = n % 10 === 0 ? "inactive" : "active";
      const role = roles[0]?.id as string;
      yield [newId(), pick(FIRST_NAMES, n), `Tester ${scramble(n)}`, email, `Team ${n % 40}`, role, "email", status];
    }
  }
  const columns = ["id", "firstNames", "lastNames", "email", "team", "roleId", "provider", "status"];
  return { table: "User", columns, cells: cells() };
}

/** Returns the ID of the record that ten consecutive audit records refer to. */
export function generatedRecordId(n: number): string {
  return `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`;
}

/** Returns the name of the record that ten consecutive audit records refer to. */
export function generatedRecordName(n: number): string {
  return `Record ${scramble(n)}`;
}

/** Applications that audit records belong to, each with as many environments. */
const AUDITED_APPS = 20;
const AUDITED_ENVIRONMENTS = ["Development", "QA", "Staging", "Production"];

/** Returns the names of an audit record, in the order that `jsonb` gives their keys. */
function auditNames(n: number, person: { name: string; email: string }): string {
  const app = n % AUDITED_APPS;
  const environment = Math.floor(n / AUDITED_APPS) % AUDITED_ENVIRONMENTS.length;
  return JSON.stringify([
    null,
    {
      app: `Application ${app}`,
      actor: person.name,
      appId: `00000000-0000-4000-9000-${String(app).padStart(12, "0")}`,
      record: generatedRecordName(Math.floor(n / 10)),
      actorEmail: person.email,
      environment: AUDITED_ENVIRONMENTS[environment],
      environmentId: `00000000-0000-4000-a000-${String(app * 10 + environment).padStart(12, "0")}`,
    },
  ]).replaceAll(/([,:])(?=["{[])/g, "$1 ");
}

const AUDITED = ["Release", "Release", "Release", "User", "App", "Environment", "Upload"];
const ACTIONS = ["create", "update", "delete"];

/**
 * Generates audit records of up to ten users, ten seconds apart, ending now. Ten consecutive ones refer to the same record. They
 * contain the names of their user, record, application and environment.
 * Their hashes are computed as the database function `audit_record_hash` does, in a tenth of the time of the trigger.
 */
async function auditRecords(client: pg.Client, count: number): Promise<Rows> {
  // The lock prevents other inserts while the trigger that chains records is disabled.
  await client.query(`LOCK TABLE "AuditRecord" IN SHARE ROW EXCLUSIVE MODE`);
  await client.query(`ALTER TABLE "AuditRecord" DISABLE TRIGGER "AuditRecord_chain"`);
  const { rows: last } = await client.query<{ id: string; hash: string }>(
    `SELECT "id", "hash" FROM "AuditRecord" ORDER BY "id" DESC LIMIT 1`,
  );
  const { rows: people } = await client.query<{ id: string; name: string; email: string }>(
    `SELECT "id", "firstNames" || ' ' || "lastNames" AS "name", "email" FROM "User" ORDER BY "id" LIMIT 10`,
  );
  const before = Number(last[0]?.id ?? 0);
  const now = Date.now();
  function* cells(): Generator<Cell[]> {
    let previous = last[0]?.hash ?? "0".repeat(64);
    for (let n = 1; n <= count; n++) {
      const id = before + n;
      const person = pick(people, n);
      const userId = person.id;
      const [table, action] = [pick(AUDITED, n), pick(ACTIONS, n)];
      const recordId = generatedRecordId(Math.floor(n / 10));
      const at = now - (count - n) * 10_000;
      const changes = `{"@names": ${auditNames(n, person)}, "description": ["Before ${n}", "After"]}`;
      const [ip, requestId] = ["192.0.2.7", scramble(n)];
      // The format of jsonb_build_array(…)::text. None of the values contains a character that JSON escapes.
      const content = `["${previous}", ${id}, "${userId}", null, "${table}", "${recordId}", "${action}", ${at}, ${changes}, "${ip}", "${requestId}"]`;
      const own = hash("sha256", content);
      const date = new Date(at).toISOString();
      yield [id, userId, table, recordId, action, date, changes, ip, requestId, previous, own];
      previous = own;
    }
  }
  const head = ["id", "userId", "table", "recordId", "action", "eventDate", "changes", "ip", "requestId"];
  return { table: "AuditRecord", columns: [...head, "previousHash", "hash"], cells: cells() };
}
