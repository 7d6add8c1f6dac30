import { hash } from "node:crypto";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import pg from "pg";
import { from as copyFrom } from "pg-copy-streams";
import { v7 as newId } from "uuid";

/** How much there is to be in a database. */
export interface Amounts {
  releases: number;
  users: number;
  auditRecords: number;
}

/** A value of a row; null is NULL. */
type Cell = string | number | null;

interface Rows {
  table: string;
  columns: readonly string[];
  cells: Iterable<readonly Cell[]>;
}

/** Rows per COPY, which bounds what triggers hold for one statement. */
const BATCH = 100_000;
/** Characters per write. */
const CHUNK = 1 << 16;
const MINUTE = 60_000;

/** A cell in COPY's text format. */
function toCopyText(cell: Cell): string {
  if (cell === null) return "\\N";
  return typeof cell === "number" ? String(cell) : cell.replace(/[\\\t\n\r]/g, (sign) => `\\${ESCAPED[sign]}`);
}
const ESCAPED: Record<string, string> = { "\\": "\\", "\t": "t", "\n": "n", "\r": "r" };

/** The lines of the next rows, some thousand characters at a time. */
function* linesOf(cells: Iterator<readonly Cell[]>, first: readonly Cell[]): Generator<string> {
  let text = "";
  let row: readonly Cell[] | undefined = first;
  for (let count = 1; row; count++) {
    text += `${row.map(toCopyText).join("\t")}\n`;
    if (text.length >= CHUNK) {
      yield text;
      text = "";
    }
    row = count < BATCH ? cells.next().value : undefined;
  }
  yield text;
}

/**
 * Fills a table by COPY from a stream. Its indexes but the primary key are rebuilt afterwards, which is far faster than
 * keeping them.
 */
async function copyInto(client: pg.Client, { table, columns, cells }: Rows): Promise<void> {
  const { rows } = await client.query<{ name: string; definition: string }>(
    `SELECT c.relname AS "name", pg_get_indexdef(i.indexrelid) AS "definition"
     FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
     WHERE i.indrelid = $1::regclass AND NOT i.indisprimary`,
    [`"${table}"`],
  );
  for (const { name } of rows) await client.query(`DROP INDEX "${name}"`);
  const names = columns.map((column) => `"${column}"`).join(", ");
  const left = cells[Symbol.iterator]();
  for (let next = left.next(); !next.done; next = left.next()) {
    const target = client.query(copyFrom(`COPY "${table}" (${names}) FROM STDIN`));
    await pipeline(Readable.from(linesOf(left, next.value)), target);
  }
  for (const { definition } of rows) await client.query(definition);
}

/**
 * Fills a console's database beyond what is in it, by COPY: releases over all environments of an app (four of five in
 * the one of a release that they are copies of), users, and audit records that go on with the chain. Each table is one
 * transaction.
 * @param releaseId the release; the first one, where none is named
 * @throws Error where there is no release
 */
export async function fill(databaseUrl: string, amounts: Amounts, releaseId?: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query("SET synchronous_commit = off; SET maintenance_work_mem = '512MB'");
    for (const [count, make] of [
      [amounts.releases, () => releases(client, amounts.releases, releaseId)],
      [amounts.users, () => users(client, amounts.users)],
      [amounts.auditRecords, () => auditRecords(client, amounts.auditRecords)],
    ] as const) {
      if (count === 0) continue;
      await client.query("BEGIN");
      const rows = await make();
      await copyInto(client, rows);
      if (rows.table === "AuditRecord") {
        await client.query(`ALTER TABLE "AuditRecord" ENABLE TRIGGER "AuditRecord_chain"`);
      }
      await client.query("COMMIT");
    }
    await client.query("VACUUM (ANALYZE)");
  } finally {
    await client.end();
  }
}

/** Eight hexadecimal digits that differ from number to number. */
function scattered(n: number): string {
  return (Math.imul(n, 2_654_435_761) >>> 0).toString(16).padStart(8, "0");
}

function pick<T>(list: readonly T[], n: number): T {
  return list[n % list.length] as T;
}

/** Copies of one release, a minute apart and the last one now; 500 of them have a version in common. */
async function releases(client: pg.Client, count: number, releaseId?: string): Promise<Rows> {
  const copied = ["fileId", "iconFileId", "identifier", "displayName", "iosEnabled", "minOs", "installer", "metadata"];
  const { rows: models } = await client.query<Record<string, string | null>>(
    `SELECT "environmentId", "platformId", "createdByUser", ${copied.map((name) => `"${name}"::text`).join(", ")}
     FROM "Release" WHERE $1::uuid IS NULL OR "id" = $1 ORDER BY "id" LIMIT 1`,
    [releaseId ?? null],
  );
  const model = models[0];
  if (!model) throw new Error("there is no release to copy: publish one first");
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
        `Fixes the sign-in on tablets and makes lists quicker. Ticket T${n}-${scattered(n)}.`,
        `app-${n}.ipa`,
        new Date(now - (count - n) * MINUTE).toISOString(),
        model?.createdByUser ?? null,
        ...same,
      ];
    }
  }
  const own = ["id", "environmentId", "platformId", "version", "buildNumber", "description", "fileName", "deployDate"];
  return { table: "Release", columns: [...own, "createdByUser", ...copied], cells: cells() };
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
      yield [newId(), pick(FIRST_NAMES, n), `Tester ${scattered(n)}`, email, `Team ${n % 40}`, role, "email", status];
    }
  }
  const columns = ["id", "firstNames", "lastNames", "email", "team", "roleId", "provider", "status"];
  return { table: "User", columns, cells: cells() };
}

/** The id of what ten audit records in a row are of. */
export function generatedRecordId(n: number): string {
  return `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`;
}

const AUDITED = ["Release", "Release", "Release", "User", "App", "Environment", "Upload"];
const ACTIONS = ["create", "update", "delete"];

/**
 * Records ten seconds apart, the last one now, of up to ten users; ten in a row are of one thing. They are chained
 * here as the database's function `audit_record_hash` does it, in a tenth of the time that its trigger takes for each.
 */
async function auditRecords(client: pg.Client, count: number): Promise<Rows> {
  // Nobody else adds a record until this is committed, nor while the trigger that chains them is off.
  await client.query(`LOCK TABLE "AuditRecord" IN SHARE ROW EXCLUSIVE MODE`);
  await client.query(`ALTER TABLE "AuditRecord" DISABLE TRIGGER "AuditRecord_chain"`);
  const { rows: last } = await client.query<{ id: string; hash: string }>(
    `SELECT "id", "hash" FROM "AuditRecord" ORDER BY "id" DESC LIMIT 1`,
  );
  const { rows: people } = await client.query<{ id: string }>(`SELECT "id" FROM "User" ORDER BY "id" LIMIT 10`);
  const before = Number(last[0]?.id ?? 0);
  const now = Date.now();
  function* cells(): Generator<Cell[]> {
    let previous = last[0]?.hash ?? "0".repeat(64);
    for (let n = 1; n <= count; n++) {
      const id = before + n;
      const userId = pick(people, n).id;
      const [table, action] = [pick(AUDITED, n), pick(ACTIONS, n)];
      const recordId = generatedRecordId(Math.floor(n / 10));
      const at = now - (count - n) * 10_000;
      const changes = `{"description": ["Before ${n}", "After"]}`;
      const [ip, requestId] = ["192.0.2.7", scattered(n)];
      // As jsonb_build_array(…)::text writes it; none of these texts has a sign that JSON escapes.
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
