import { createHash, randomUUID } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { refreshCollation, staleCollation } from "./collation.ts";

/** A migration cannot be applied. The message names it and the reason. */
export class MigrationError extends Error {
  override name = "MigrationError";
}

interface ApplyMigrationsOptions {
  /** `postgresql://` URL of the database. */
  connectionString: string;
  /** The folder with `<name>/migration.sql` for each migration. They are applied in the order of their names. */
  directory: string;
  /** Applies only these, such as those that an older version had. */
  only?: ReadonlySet<string>;
  log: { info(message: string): void; warn(message: string): void };
  /** How long a statement waits for a table that others use, and how long after that the migration is tried again. */
  tableLock?: { timeoutMs: number; retryMs: number };
}

/**
 * A backup reads tables for minutes. Each statement on a table that a migration waits for has to wait behind it, so the wait is
 * short, and requests are answered before the next one.
 */
const TABLE_LOCK = { timeoutMs: 3_000, retryMs: 10_000 };
const LOCK_NOT_AVAILABLE = "55P03";

interface Migration {
  name: string;
  sql: string;
  /** SHA-256 of the file in hex, as Prisma records it. */
  checksum: string;
}

interface MigrationRow {
  migration_name: string;
  checksum: string;
  finished_at: Date | null;
}

/** The advisory lock that the Prisma CLI takes, so that it does not run at the same time. */
const LOCK_KEY = 72_707_369;

/** The table of the Prisma CLI, so that commands such as `prisma migrate status` work on this database. */
const CREATE_TABLE = `
CREATE TABLE IF NOT EXISTS _prisma_migrations (
  id                  VARCHAR(36) PRIMARY KEY NOT NULL,
  checksum            VARCHAR(64) NOT NULL,
  finished_at         TIMESTAMPTZ,
  migration_name      VARCHAR(255) NOT NULL,
  logs                TEXT,
  rolled_back_at      TIMESTAMPTZ,
  started_at          TIMESTAMPTZ NOT NULL DEFAULT now(),
  applied_steps_count INTEGER NOT NULL DEFAULT 0
)`;

/**
 * Applies all pending migrations. Each migration and its record are one transaction, so a migration is applied completely or
 * not at all and cannot contain statements that PostgreSQL rejects in a transaction (`CREATE INDEX CONCURRENTLY`).
 * Several instances may call this at the same time; an advisory lock serializes them. Applied migrations that are missing in
 * the folder only cause a warning: an older version may continue to serve requests after a newer one has migrated.
 * A migration that needs a table which others use, such as a backup, is rolled back and tried again until the table is free.
 *
 * @returns the names of the migrations that this call applied, in order
 * @throws MigrationError if a migration fails (it is rolled back), was changed after it had been applied, or was not finished by another tool
 */
export async function applyMigrations({
  connectionString,
  directory,
  only,
  log,
  tableLock = TABLE_LOCK,
}: ApplyMigrationsOptions): Promise<{ applied: string[] }> {
  const migrations = (await readMigrations(directory)).filter(({ name }) => !only || only.has(name));
  const client = new pg.Client({
    connectionString,
    connectionTimeoutMillis: 10_000,
    application_name: "slipway-migrate",
  });
  // Without a listener, a connection lost between two queries would terminate the process. The next query reports the loss.
  client.on("error", () => {});
  await client.connect();
  const applied: string[] = [];
  try {
    const options = { log, tableLock };
    const next = () => inTransaction(client, options, () => applyNext(client, migrations));
    if (findPending(migrations, await readRows(client)).length > 0) {
      for (let name = await next(); name; name = await next()) {
        log.info(`applied migration ${name}`);
        applied.push(name);
      }
    }
    await buildNameIndexesAgain(client, options);
    const known = new Set(migrations.map(({ name }) => name));
    const newer = (await readRows(client)).map((row) => row.migration_name).filter((name) => !known.has(name));
    if (newer.length > 0) {
      log.warn(`the database has migrations of a newer version, which this one does not know: ${newer.join(", ")}`);
    }
  } finally {
    await client.end();
  }
  return { applied };
}

/** Reads the migrations of a folder in the order of their names. */
export async function readMigrations(directory: string): Promise<Migration[]> {
  const entries = await readdir(directory, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  return Promise.all(
    names.sort().map(async (name) => {
      const content = await readFile(join(directory, name, "migration.sql")).catch((cause: unknown) => {
        throw new MigrationError(`migration ${name} has no readable migration.sql`, { cause });
      });
      return { name, sql: content.toString("utf8"), checksum: createHash("sha256").update(content).digest("hex") };
    }),
  );
}

/** Reads the recorded migrations, without those that were rolled back. */
async function readRows(client: pg.Client): Promise<MigrationRow[]> {
  const table = await client.query<{ exists: boolean }>(
    "SELECT to_regclass('_prisma_migrations') IS NOT NULL AS exists",
  );
  if (!table.rows[0]?.exists) return [];
  const { rows } = await client.query<MigrationRow>(
    "SELECT migration_name, checksum, finished_at FROM _prisma_migrations WHERE rolled_back_at IS NULL ORDER BY started_at",
  );
  return rows;
}

function findPending(migrations: Migration[], rows: MigrationRow[]): Migration[] {
  const unfinished = rows.find((row) => row.finished_at === null);
  if (unfinished) {
    throw new MigrationError(
      `migration ${unfinished.migration_name} was started by another tool and did not finish; repair the database and mark the migration with "prisma migrate resolve"`,
    );
  }
  const checksums = new Map(rows.map((row) => [row.migration_name, row.checksum]));
  const changed = migrations.find(({ name, checksum }) => checksums.has(name) && checksums.get(name) !== checksum);
  if (changed) {
    throw new MigrationError(
      `migration ${changed.name} was changed after it had been applied to this database; restore its migration.sql and make the change in a new migration`,
    );
  }
  return migrations.filter(({ name }) => !checksums.has(name));
}

type TransactionOptions = Required<Pick<ApplyMigrationsOptions, "log" | "tableLock">>;

/** Runs work in a transaction under the advisory lock, again as long as it fails because others use a table. */
async function inTransaction<Result>(
  client: pg.Client,
  { log, tableLock }: TransactionOptions,
  work: () => Promise<Result>,
): Promise<Result> {
  for (let isFirst = true; ; isFirst = false) {
    await client.query("BEGIN");
    try {
      // Timeouts of the role or database are for requests, not for migrations.
      await client.query(
        "SET LOCAL statement_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0; SET LOCAL lock_timeout = 0",
      );
      await takeLock(client, log);
      await client.query(`SET LOCAL lock_timeout = ${tableLock.timeoutMs}`);
      const result = await work();
      await client.query("COMMIT");
      return result;
    } catch (error) {
      // If the connection is lost, the server rolls back, and the first error is the relevant one.
      await client.query("ROLLBACK").catch(() => {});
      if (!isTableInUse(error)) throw error;
      if (isFirst) log.warn(`a table is in use, such as by a backup; waiting for it: ${(error as Error).message}`);
    }
    await delay(tableLock.retryMs);
  }
}

function isTableInUse(error: unknown): boolean {
  const cause = error instanceof MigrationError ? error.cause : error;
  return cause instanceof pg.DatabaseError && cause.code === LOCK_NOT_AVAILABLE;
}

/** Applies the first pending migration. @returns its name; undefined if none is pending */
async function applyNext(client: pg.Client, migrations: Migration[]): Promise<string | undefined> {
  await client.query(CREATE_TABLE);
  const next = findPending(migrations, await readRows(client))[0];
  if (next) {
    await runScript(client, next);
    await client.query(
      `INSERT INTO _prisma_migrations (id, checksum, migration_name, started_at, finished_at, applied_steps_count)
       VALUES ($1, $2, $3, now(), clock_timestamp(), 1)`,
      [randomUUID(), next.checksum, next.name],
    );
  }
  return next?.name;
}

/** Keeps the indexes of names in the order of the server's ICU, which an upgrade of the server may change. */
async function buildNameIndexesAgain(client: pg.Client, options: TransactionOptions): Promise<void> {
  if (!(await staleCollation(client))) return;
  const count = await inTransaction(client, options, () => refreshCollation(client));
  if (count > 0)
    options.log.info(
      `built ${count} ${count === 1 ? "index" : "indexes"} of names again, because the ICU of PostgreSQL changed`,
    );
}

/** Takes the advisory lock until the end of the transaction, which also works with a transaction pooler. */
async function takeLock(client: pg.Client, log: ApplyMigrationsOptions["log"]): Promise<void> {
  const attempt = await client.query<{ taken: boolean }>("SELECT pg_try_advisory_xact_lock($1) AS taken", [LOCK_KEY]);
  if (attempt.rows[0]?.taken) return;
  log.info("another instance is applying migrations; waiting for it");
  await client.query("SELECT pg_advisory_xact_lock($1)", [LOCK_KEY]);
}

/** A script of several statements, which counts the completed ones. */
class ScriptQuery extends pg.Query {
  completed = 0;

  /** Called by pg's connection for each CommandComplete message. */
  handleCommandComplete(...args: unknown[]): void {
    this.completed += 1;
    const inherited = Reflect.get(pg.Query.prototype, "handleCommandComplete") as (...args: unknown[]) => void;
    inherited.apply(this, args);
  }
}

async function runScript(client: pg.Client, { name, sql }: Migration): Promise<void> {
  const script = new ScriptQuery(sql);
  const finished = new Promise<void>((resolve, reject) => {
    script.on("end", () => resolve());
    script.on("error", reject);
  });
  client.query(script);
  try {
    await finished;
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause);
    const offset = cause instanceof pg.DatabaseError ? Number(cause.position ?? 0) : 0;
    throw new MigrationError(
      `migration ${name} failed in statement ${script.completed + 1}${offset > 0 ? describePosition(sql, offset) : ""}: ${message}`,
      { cause },
    );
  }
}

/** Converts an error position of PostgreSQL, which counts code points from 1, to line and column. */
function describePosition(sql: string, offset: number): string {
  const before = [...sql]
    .slice(0, offset - 1)
    .join("")
    .split("\n");
  return ` (line ${before.length}, column ${[...(before.at(-1) ?? "")].length + 1})`;
}
