import "server-only";
import { PrismaPg } from "@prisma/adapter-pg";
import pg from "pg";
import { env } from "@/lib/kernel/env";
import { log } from "@/lib/kernel/log";
import { Prisma, PrismaClient } from "./generated/client";
import { cutSilentConnections } from "./liveness";
import { OneQueryClient } from "./serial-client";

/** A client or a transaction: whatever can be asked. */
export type Db = Prisma.TransactionClient;

interface Connections {
  pool: pg.Pool;
  prisma: PrismaClient;
  /** By their text, the names of the statements whose plans the pool's connections keep. */
  plans: Map<string, string>;
}

// Pages and routes have each their own copy of this module, and development makes more; the connections are one.
const kept = globalThis as { slipwayConnections?: Connections };

function connect(): Connections {
  const pool = new pg.Pool({
    connectionString: env.DATABASE_URL,
    Client: OneQueryClient,
    max: 20,
    // Without it the pool waits for ever while the database is away (answers must come within 5 s).
    connectionTimeoutMillis: 3_000,
    idleTimeoutMillis: 30_000,
    keepAlive: true,
  });
  // An idle connection that the server closes raises this; unheard, it would end the process.
  pool.on("error", (error) => log.warn({ err: error }, "an idle database connection was lost"));
  cutSilentConnections(pool, env.DATABASE_URL);
  return { pool, prisma: new PrismaClient({ adapter: new PrismaPg(pool) }), plans: new Map() };
}

function connections(): Connections {
  kept.slipwayConnections ??= connect();
  return kept.slipwayConnections;
}

/** The database, connected at the first use. */
export const db: PrismaClient = new Proxy({} as PrismaClient, {
  get: (_target, name) => Reflect.get(connections().prisma, name),
});

/** The pool underneath, for what speaks SQL itself (rate limits, jobs, COPY). */
export function databasePool(): pg.Pool {
  return connections().pool;
}

/** A row as JSON holds it: instants are texts. */
export type Stored<Row> = { [Column in keyof Row]: StoredValue<Row[Column]> };
type StoredValue<Value> = Value extends Date ? string : Value;

/** So many statements keep their plans on each connection, however many a caller's wishes make. */
const MAX_PLANS = 64;

/** The name of a statement whose plan is kept; none where there are too many. */
function planName(text: string): string | undefined {
  const { plans } = connections();
  if (!plans.has(text) && plans.size < MAX_PLANS) plans.set(text, `slipway_${plans.size}`);
  return plans.get(text);
}

/**
 * The rows of a statement that is part of most requests. Outside a transaction it goes past Prisma, whose work for a
 * statement of one row takes several times as long as PostgreSQL's.
 *
 * Each row is one JSON value: quicker to read than columns, and a kept plan whose table gets another column, by an
 * instance of a newer version, goes on where it would else be refused.
 *
 * @param options.keepPlan whether PostgreSQL plans it once for each connection. Not where the best plan depends on its
 * values: how many rows a search finds, or a LIMIT.
 */
export async function readRows<Row>(
  from: Db,
  statement: Prisma.Sql,
  { keepPlan }: { keepPlan: boolean },
): Promise<Stored<Row>[]> {
  const { text, values } = statement;
  const query = `SELECT to_json(q) AS "row" FROM (${text}) q`;
  if (from !== db) {
    const rows = await from.$queryRawUnsafe<{ row: Stored<Row> }[]>(query, ...values);
    return rows.map(({ row }) => row);
  }
  const name = keepPlan ? planName(query) : undefined;
  const { rows } = await databasePool().query<[Stored<Row>]>({ name, text: query, values, rowMode: "array" });
  return rows.map(([row]) => row);
}

/**
 * Locks a row until the transaction ends, so that what is read of it afterwards still holds when it is written. Rows
 * that refer to it may be inserted in the meantime.
 * @returns whether there is such a row
 */
export async function lockRow(tx: Db, table: Prisma.ModelName, id: string | number): Promise<boolean> {
  const key = typeof id === "number" ? Prisma.sql`${id}` : Prisma.sql`${id}::uuid`;
  const rows = await tx.$queryRaw<unknown[]>`
    SELECT 1 FROM ${Prisma.raw(`"${table}"`)} WHERE "id" = ${key} FOR NO KEY UPDATE`;
  return rows.length > 0;
}

/** How long the end waits for queries that still run, in milliseconds. */
const CLOSE_MS = 5_000;

/** Ends all connections, once what runs on them is through. */
export async function closeDatabase(): Promise<void> {
  const { slipwayConnections: open } = kept;
  if (!open) return;
  kept.slipwayConnections = undefined;
  const closed = open.prisma.$disconnect().then(() => open.pool.end());
  await Promise.race([closed, new Promise((resolve) => setTimeout(resolve, CLOSE_MS).unref())]);
}
