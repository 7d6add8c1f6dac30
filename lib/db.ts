import "server-only";
import { PrismaPg } from "@prisma/adapter-pg";
import pg from "pg";
import { env } from "./env";
import { type Prisma, PrismaClient } from "./generated/prisma/client";
import { log } from "./log";

/** A client or a transaction: whatever can be asked. */
export type Db = Prisma.TransactionClient;

interface Connections {
  pool: pg.Pool;
  prisma: PrismaClient;
}

// In development, modules are loaded anew at each change; the connections must outlive them.
const kept = globalThis as { slipwayConnections?: Connections };

function connect(): Connections {
  const pool = new pg.Pool({
    connectionString: env.DATABASE_URL,
    max: 20,
    // Without it the pool waits for ever while the database is away (answers must come within 5 s).
    connectionTimeoutMillis: 4_000,
    idleTimeoutMillis: 30_000,
  });
  // An idle connection that the server closes raises this; unheard, it would end the process.
  pool.on("error", (error) => log.warn({ err: error }, "an idle database connection was lost"));
  return { pool, prisma: new PrismaClient({ adapter: new PrismaPg(pool) }) };
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
