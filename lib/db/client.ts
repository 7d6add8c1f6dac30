import "server-only";
import { PrismaPg } from "@prisma/adapter-pg";
import pg from "pg";
import { env } from "@/lib/kernel/env";
import { log } from "@/lib/kernel/log";
import { type Prisma, PrismaClient } from "./generated/client";
import { cutSilentConnections } from "./liveness";
import { OneQueryClient } from "./serial-client";

/** The database, or a transaction. */
export type Db = Prisma.TransactionClient;

interface Connections {
  pool: pg.Pool;
  prisma: PrismaClient;
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

/** The pool underneath, for libraries that take one (rate limits, jobs). Statements of our own go through `queryRows`. */
export function databasePool(): pg.Pool {
  return connections().pool;
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
