import { once } from "node:events";
import { type AddressInfo, createServer, Socket } from "node:net";
import { PrismaPg } from "@prisma/adapter-pg";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { newId } from "@/lib/kernel/ids";
import { startTcpProxy } from "@/lib/testing/tcp-proxy";
import { createTestDatabase, ignoreLostConnections, type TestDatabase } from "@/scripts/test-database";
import { Prisma, PrismaClient } from "./generated/client";
import { ResponsivePool, type ResponsivePoolConfig } from "./responsive-pool";
import { SerialQueryClient } from "./serial-client";
import { isDatabaseFull, isDatabaseUnavailable } from "./unavailable";

// Each error comes from pg or Prisma, from a real connection if the failure can be produced on the loopback interface.

let database: TestDatabase;
let admin: pg.Client;
const cleanups: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  admin = new pg.Client(database.url);
  await admin.connect();
});

afterAll(async () => {
  for (const clean of cleanups.reverse()) await clean();
  await admin.end();
  await database.drop();
});

/** Returns the database's URL with another host, port or password. */
function urlWith(parts: Partial<Record<"hostname" | "port" | "password", string>>): string {
  return Object.assign(new URL(database.url), parts).href;
}

/** Starts a server that handles each connection with `handle`. @returns its port */
async function startServer(handle: (socket: Socket) => void): Promise<string> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.on("error", () => {}));
    handle(socket);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  cleanups.push(async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return String((server.address() as AddressInfo).port);
}

/** The connection timeout of tests in which connecting must not time out, and of those in which it must. */
const LONG_TIMEOUT_MS = 15_000;
const SHORT_TIMEOUT_MS = 200;

/** Opens a pool with one connection and a Prisma client on it, like the console's. */
function connect(config: Partial<ResponsivePoolConfig>) {
  const pool = ignoreLostConnections(new ResponsivePool({ connectTimeoutMs: LONG_TIMEOUT_MS, max: 1, ...config }));
  const prisma = new PrismaClient({ adapter: new PrismaPg(pool) });
  cleanups.push(async () => {
    await prisma.$disconnect();
    if (!pool.ending) await pool.end();
  });
  return { pool, prisma };
}

/** The ways in which the console accesses its database. */
const ACCESSES: Record<string, (connection: ReturnType<typeof connect>) => Promise<unknown>> = {
  "a statement of the pool": ({ pool }) => pool.query("SELECT 1"),
  "a statement of Prisma": ({ prisma }) => prisma.$queryRaw`SELECT 1 AS "one"`,
  "a model": ({ prisma }) => prisma.role.findFirst(),
  "a transaction": ({ prisma }) => prisma.$transaction((tx) => tx.role.findFirst(), { maxWait: LONG_TIMEOUT_MS }),
};
const accesses = Object.entries(ACCESSES);

const failure = (work: () => Promise<unknown>): Promise<unknown> =>
  work().then(
    () => expect.fail("it did not fail"),
    (error: unknown) => error,
  );

describe("a database that cannot be reached is unavailable", () => {
  const places: [string, () => Promise<Partial<ResponsivePoolConfig>>][] = [
    // ENOTFOUND, or EAI_AGAIN if the name server is unavailable, too.
    [
      "its host name does not resolve",
      async () => ({ connectionString: urlWith({ hostname: "db.invalid" }), connectTimeoutMs: 3_000 }),
    ],
    ["its port is refused", async () => ({ connectionString: urlWith({ port: "1" }) })],
    [
      "its network is unreachable",
      async () => ({ connectionString: urlWith({ hostname: "255.255.255.255" }), connectTimeoutMs: 3_000 }),
    ],
    [
      "it resets new connections",
      async () => ({ connectionString: urlWith({ port: await startServer((socket) => socket.resetAndDestroy()) }) }),
    ],
    [
      "it closes new connections",
      async () => ({ connectionString: urlWith({ port: await startServer((socket) => socket.end()) }) }),
    ],
    [
      "it does not respond",
      async () => ({
        connectionString: urlWith({ port: await startServer(() => {}) }),
        connectTimeoutMs: SHORT_TIMEOUT_MS,
      }),
    ],
    ...[
      "EAI_AGAIN",
      "ECONNABORTED",
      "EHOSTDOWN",
      "EHOSTUNREACH",
      "ENETDOWN",
      "ENETUNREACH",
      "EPIPE",
      "ETIMEDOUT",
      "EADDRNOTAVAIL",
    ].map((code): [string, () => Promise<Partial<ResponsivePoolConfig>>] => [
      `the system reports ${code}`,
      async () => ({
        connectionString: database.url,
        stream: () => {
          const socket = new Socket();
          const error = Object.assign(new Error(`connect ${code} db:5432`), { code, errno: -1, syscall: "connect" });
          socket.connect = () => socket.destroy(error);
          return socket;
        },
      }),
    ]),
  ];

  it.each(places)("%s", async (_what, place) => {
    const connection = connect(await place());
    for (const [access, work] of accesses) {
      const error = await failure(() => work(connection));
      expect([access, isDatabaseUnavailable(error), isDatabaseFull(error), error]).toEqual([
        access,
        true,
        false,
        error,
      ]);
    }
  });

  it.each(accesses)("it has no free connection, for %s", async (_access, work) => {
    const name = new URL(database.url).pathname.slice(1);
    await admin.query(`ALTER DATABASE "${name}" CONNECTION LIMIT 0`);
    try {
      expect(isDatabaseUnavailable(await failure(() => work(connect({ connectionString: database.url }))))).toBe(true);
    } finally {
      await admin.query(`ALTER DATABASE "${name}" CONNECTION LIMIT -1`);
    }
  });

  it.each(accesses)("the pool has no free connection, for %s", async (_access, work) => {
    const connection = connect({ connectionString: database.url });
    const taken = await connection.pool.connect();
    connection.pool.options.connectTimeoutMs = SHORT_TIMEOUT_MS;
    expect(isDatabaseUnavailable(await failure(() => work(connection)))).toBe(true);
    taken.release();
  });

  it("a transaction waits too long for a connection", async () => {
    const { pool, prisma } = connect({ connectionString: database.url });
    const taken = await pool.connect();
    const error = await failure(() => prisma.$transaction((tx) => tx.role.findFirst(), { maxWait: SHORT_TIMEOUT_MS }));
    expect([(error as { code?: string }).code, isDatabaseUnavailable(error)]).toEqual(["P2028", true]);
    taken.release();
  });

  it("the pool is closed, as in an instance that stops", async () => {
    const { pool } = connect({ connectionString: database.url });
    await pool.end();
    expect(isDatabaseUnavailable(await failure(() => pool.query("SELECT 1")))).toBe(true);
  });
});

describe("a database whose connection is lost is unavailable", () => {
  /** Calls `cut` while a statement runs. @returns the error of the statement */
  const during = async (connection: ReturnType<typeof connect>, statement: string, cut: (pid: number) => unknown) => {
    const { rows } = await connection.pool.query<{ pid: number }>("SELECT pg_backend_pid() AS pid");
    const pid = rows[0]?.pid as number;
    const error = failure(() => connection.prisma.$executeRawUnsafe(statement));
    const runs = "SELECT 1 FROM pg_stat_activity WHERE pid = $1 AND query = $2 AND state = 'active'";
    await expect.poll(async () => (await admin.query(runs, [pid, statement])).rowCount).toBe(1);
    await cut(pid);
    return error;
  };
  const terminate = (pid: number) => admin.query("SELECT pg_terminate_backend($1)", [pid]);

  it("while a statement runs: its backend is terminated", async () => {
    const error = await during(connect({ connectionString: database.url }), "SELECT pg_sleep(60)", terminate);
    expect(isDatabaseUnavailable(error)).toBe(true);
  });

  it("while a statement runs: the network is cut", async () => {
    const { hostname: host, port } = new URL(database.url);
    const network = await startTcpProxy({ host, port: Number(port) });
    cleanups.push(network.close);
    const connection = connect({ connectionString: urlWith({ port: String(network.port) }) });
    expect(isDatabaseUnavailable(await during(connection, "SELECT pg_sleep(59)", network.refuse))).toBe(true);
  });

  it("within a transaction", async () => {
    const { prisma } = connect({ connectionString: database.url });
    const work = async (tx: Prisma.TransactionClient) => {
      const [row] = await tx.$queryRaw<[{ pid: number }]>`SELECT pg_backend_pid() AS "pid"`;
      await terminate(row.pid);
      await tx.role.findFirst();
    };
    expect(isDatabaseUnavailable(await failure(() => prisma.$transaction(work, { maxWait: LONG_TIMEOUT_MS })))).toBe(
      true,
    );
  });

  it("when a client is used again after its connection was lost", async () => {
    const client = new SerialQueryClient(database.url);
    client.on("error", () => {});
    await client.connect();
    const lost = new Promise((resolve) => client.once("end", resolve));
    client.connection.stream.destroy(new Error("Connection terminated: the database does not answer"));
    expect(isDatabaseUnavailable(await failure(() => client.query("SELECT 1")))).toBe(true);
    await lost;
    const error = await failure(() => client.query("SELECT 1"));
    expect([(error as Error).message, isDatabaseUnavailable(error)]).toEqual([
      "Client has encountered a connection error and is not queryable",
      true,
    ]);
  });

  it("when a transaction times out", async () => {
    const { prisma } = connect({ connectionString: database.url });
    const slow = () =>
      prisma.$transaction(
        (tx) => tx.$queryRaw`SELECT 1 AS "one", pg_sleep(0.2)::text`.then(() => tx.role.findFirst()),
        {
          timeout: 50,
        },
      );
    expect(isDatabaseUnavailable(await failure(slow))).toBe(true);
  });
});

describe("a database that reports a SQLSTATE", () => {
  /** Returns the errors of failures with a SQLSTATE, for each kind of access. */
  const failures = async (state: string): Promise<unknown[]> => {
    const { pool, prisma } = connect({ connectionString: database.url });
    const statement = `DO $$ BEGIN RAISE EXCEPTION 'no' USING ERRCODE = '${state}'; END $$`;
    await admin.query(`
      CREATE OR REPLACE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN RAISE EXCEPTION 'no' USING ERRCODE = '${state}'; END $$;
      CREATE OR REPLACE TRIGGER fail BEFORE INSERT ON "Role" FOR EACH ROW EXECUTE FUNCTION fail()`);
    const insert = (from: Prisma.TransactionClient) => from.role.create({ data: { id: newId(), name: state } });
    return [
      await failure(() => pool.query(statement)),
      await failure(() => prisma.$executeRawUnsafe(statement)),
      await failure(() => insert(prisma)),
      await failure(() => prisma.$transaction(insert, { maxWait: LONG_TIMEOUT_MS })),
    ];
  };

  it.each([
    ["57P01", "it shuts down"],
    ["57P02", "another backend crashed"],
    ["57P03", "it is starting"],
    ["57P05", "the session was idle too long"],
    ["08006", "the connection failed"],
    ["53000", "insufficient resources"],
    ["53200", "out of memory"],
    ["53300", "it has too many connections"],
    ["25006", "it is read-only"],
    ["40001", "a serialization failure"],
    ["40P01", "a deadlock"],
    ["55P03", "a lock is not available"],
  ])("is unavailable: %s, %s", async (state) => {
    for (const error of await failures(state)) {
      expect([isDatabaseUnavailable(error), isDatabaseFull(error)]).toEqual([true, false]);
    }
  });

  it("is full: 53100, its disk is full", async () => {
    for (const error of await failures("53100")) {
      expect([isDatabaseUnavailable(error), isDatabaseFull(error)]).toEqual([false, true]);
    }
  });

  it.each(["22012", "23514", "42P01", "42501", "57014", "XX000", "P0001"])("is neither: %s", async (state) => {
    for (const error of await failures(state)) {
      expect([isDatabaseUnavailable(error), isDatabaseFull(error)]).toEqual([false, false]);
    }
  });
});

describe("another error", () => {
  it.each(accesses)("is not reported as an unavailable database: a wrong password, for %s", async (_access, work) => {
    const connection = connect({ connectionString: urlWith({ password: "wrong" }) });
    expect(isDatabaseUnavailable(await failure(() => work(connection)))).toBe(false);
  });

  it("is not reported as an unavailable database because of the caller's data", async () => {
    const { pool, prisma } = connect({ connectionString: database.url });
    const text = "Connection terminated unexpectedly: connect ECONNREFUSED 57P01 53100";
    const errors = [
      await failure(() => pool.query(`SELECT '${text}'::int`)),
      await failure(() => prisma.$queryRaw`SELECT ${text}::text::int`),
      await failure(() => prisma.role.findFirstOrThrow({ where: { name: text } })),
      await failure(() => prisma.role.findFirst({ where: { id: text } })),
      new Error(`the installer contains: ${text}`),
      Object.assign(new Error(text), { code: "ERR_INVALID_ARG_TYPE" }),
      new Prisma.PrismaClientUnknownRequestError("no", { clientVersion: "7" }),
      null,
      undefined,
      text,
    ];
    for (const error of errors) expect([isDatabaseUnavailable(error), isDatabaseFull(error)]).toEqual([false, false]);
  });

  it("is classified by its causes, even if it is its own cause", () => {
    const cause = Object.assign(new Error("getaddrinfo EAI_AGAIN db"), { code: "EAI_AGAIN" });
    expect(isDatabaseUnavailable(new Error("outer", { cause: new Error("inner", { cause }) }))).toBe(true);
    const own = new Error("own");
    own.cause = own;
    expect(isDatabaseUnavailable(own)).toBe(false);
  });
});
