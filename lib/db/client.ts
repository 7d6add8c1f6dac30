import "server-only";
import { PrismaPg } from "@prisma/adapter-pg";
import type pg from "pg";
import { env } from "@/lib/kernel/env";
import { log } from "@/lib/kernel/log";
import { processSingleton } from "@/lib/kernel/process-singleton";
import { doneWithin } from "@/lib/kernel/timeout";
import { type Prisma, PrismaClient } from "./generated/client";
import { killStalledConnections } from "./liveness";
import { preparedStatement } from "./prepared-statements";
import { ResponsivePool } from "./responsive-pool";
import { returnsPromise } from "./serial-client";
import { inStatementSpan } from "./statement-span";

/** The database, or a transaction. */
export type Db = Prisma.TransactionClient;

interface Connections {
  pool: ResponsivePool;
  prisma: PrismaClient;
}

/** The connections of one instance, and how many of them are kept for `withReserve`. */
const MAX_CONNECTIONS = 20;
const RESERVED_CONNECTIONS = 4;

/** The time limit of statements without their own limit. Migrations use separate connections. */
export const STATEMENT_TIMEOUT_MS = 30_000;

/**
 * The time limit of starting a transaction. Prisma's limit also passes while this process is blocked, so it is longer than those of
 * the pool and of stalled connections, which apply first.
 */
const TRANSACTION_START_TIMEOUT_MS = 30_000;

/**
 * Records the statements of a pool as spans. A span begins before the statement waits for a connection: a connection is
 * handed on in the context of the request that had it before.
 */
function tracePool(pool: pg.Pool): void {
  const query = pool.query.bind(pool) as (...args: unknown[]) => Promise<unknown>;
  const traced = (...args: unknown[]) =>
    returnsPromise(args) ? inStatementSpan(args[0], () => query(...args)) : query(...args);
  pool.query = traced as pg.Pool["query"];
}

function connect(): Connections {
  const pool = new ResponsivePool({
    connectionString: env.DATABASE_URL,
    preparesStatements: env.DATABASE_PREPARED_STATEMENTS,
    max: MAX_CONNECTIONS,
    reserved: RESERVED_CONNECTIONS,
    // Requests must be answered within 5 s, also if the database is unavailable.
    connectTimeoutMs: 3_000,
    idleTimeoutMillis: 30_000,
    keepAlive: true,
  });
  // Not set in the startup message, because PgBouncer rejects it there.
  pool.on("connect", (client) => {
    // The pool listens to idle connections only. A connection that the server ends between two queries of a transaction, as a
    // restart of the database does, would terminate the process. The next query reports the loss.
    client.on("error", () => {});
    client.query(`SET statement_timeout = ${STATEMENT_TIMEOUT_MS}`).catch(() => {
      // The connection is lost, which the next query on it reports.
    });
  });
  // Without a listener, a lost idle connection would terminate the process.
  pool.on("error", (error) => log.warn({ err: error }, "an idle database connection was lost"));
  killStalledConnections(pool, env.DATABASE_URL);
  tracePool(pool);
  const adapter = new PrismaPg(pool, { statementNameGenerator: ({ sql }) => preparedStatement(sql) ?? "" });
  return { pool, prisma: new PrismaClient({ adapter, transactionOptions: { maxWait: TRANSACTION_START_TIMEOUT_MS } }) };
}

const connections = processSingleton("database", connect);

/** The database client, connected on first use. */
export const db: PrismaClient = new Proxy({} as PrismaClient, {
  get: (_target, name) => Reflect.get(connections.get().prisma, name),
});

/** Returns the connection pool, for libraries that need one (rate limits, jobs). Other code uses `queryRows`. */
export function databasePool(): ResponsivePool {
  return connections.get().pool;
}

/** Opens connections of the pool, up to a number, for the requests to come. @throws Error if one of them cannot be opened */
export async function openConnections(count: number): Promise<void> {
  const attempts = await Promise.allSettled(Array.from({ length: count }, () => databasePool().connect()));
  for (const attempt of attempts) if (attempt.status === "fulfilled") attempt.value.release();
  for (const attempt of attempts) if (attempt.status === "rejected") throw attempt.reason;
}

/** How long `closeDatabase` waits for running queries. */
const CLOSE_TIMEOUT_MS = 5_000;

/** Closes all connections after their running queries, waiting at most 5 seconds. */
export async function closeDatabase(): Promise<void> {
  const open = connections.clear();
  if (!open) return;
  await doneWithin(
    open.prisma.$disconnect().then(() => open.pool.end()),
    CLOSE_TIMEOUT_MS,
  );
}
