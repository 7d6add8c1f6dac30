import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer as createHttpServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterAll, afterEach, beforeAll, expect, it, vi } from "vitest";
import { parseEnv, SettingsError } from "@/lib/kernel/env";
import { log } from "@/lib/kernel/log";
import { StorageError } from "@/lib/storage/driver";
import { S3Driver } from "@/lib/storage/s3";
import { startTcpProxy, type TcpProxy } from "@/lib/testing/tcp-proxy";
import { startTlsPostgres } from "@/lib/testing/tls-postgres";
import { findFreePort } from "@/scripts/lib/ports.mjs";
import { createTestDatabase, type TestDatabase } from "@/scripts/test-database";
import { whenAvailable } from "./dependencies";

let database: TestDatabase;
let proxy: TcpProxy;

beforeAll(async () => {
  database = await createTestDatabase();
  const { hostname, port } = new URL(database.url);
  proxy = await startTcpProxy({ host: hostname, port: Number(port) });
});
afterEach(() => vi.restoreAllMocks());
afterAll(async () => {
  await proxy.close();
  await database.drop();
});

/**
 * Connects as a start does.
 * @param parts of the database's URL that are replaced
 * @param timeoutMs by default, long enough for a busy machine
 */
async function connect(parts: Partial<Record<"port" | "password", string>> = {}, timeoutMs = 30_000): Promise<string> {
  const url = Object.assign(new URL(database.url), { port: String(proxy.port), ...parts });
  const client = new pg.Client({ connectionString: url.href, connectionTimeoutMillis: timeoutMs });
  client.on("error", () => {});
  await client.connect();
  await client.end();
  return "connected";
}

/** Waits for a dependency without pauses. */
const wait = <Result>(step: () => Promise<Result>, options: { timeoutMs?: number; onWait?: () => void } = {}) =>
  whenAvailable("database", step, { retryMs: 1, ...options });

it.each(["refuse", "fallSilent"] as const)(
  "waits for a database that is away (%s), and says for what and since when",
  async (fail) => {
    const warn = vi.spyOn(log, "warn");
    const info = vi.spyOn(log, "info");
    const onWait = vi.fn();
    await proxy[fail]();
    let attempts = 0;
    const step = async () => {
      attempts += 1;
      if (attempts < 3) return connect({}, 500);
      await proxy.recover();
      return connect();
    };
    expect(await wait(step, { onWait })).toBe("connected");
    expect([attempts, onWait.mock.calls.length]).toEqual([3, 1]);
    const fields = { dependency: "database", since: expect.any(Date), reason: expect.any(String) };
    expect(warn.mock.calls).toEqual([[fields, "waiting for the database"]]);
    expect(info.mock.calls).toEqual([
      [{ dependency: "database", waitedMs: expect.any(Number) }, "the database is available"],
    ]);
  },
);

it("waits for a store that answers no request", async () => {
  let attempts = 0;
  const prepare = async () => {
    attempts += 1;
    if (attempts < 3) throw new StorageError("unavailable", { cause: new Error("S3 HeadBucket: TimeoutError") });
  };
  const warn = vi.spyOn(log, "warn");
  await whenAvailable("store", prepare, { retryMs: 1 });
  expect(warn.mock.calls).toEqual([
    [expect.objectContaining({ reason: "S3 HeadBucket: TimeoutError" }), "waiting for the store"],
  ]);
});

it("says nothing about a dependency that is there", async () => {
  const lines = [vi.spyOn(log, "warn"), vi.spyOn(log, "info")];
  expect(await wait(() => connect())).toBe("connected");
  expect(lines.flatMap(({ mock }) => mock.calls)).toEqual([]);
});

it("gives up after the time limit with the dependency and the reason", async () => {
  const port = await findFreePort("127.0.0.1");
  const failed = wait(() => connect({ port: String(port) }), { timeoutMs: 0 });
  await expect(failed).rejects.toThrow(/^the database was not available for 0 s: connect ECONNREFUSED/);
  await expect(failed).rejects.toBeInstanceOf(SettingsError);
});

it("tells why no address of a name accepts a connection", async () => {
  const refused = ["::1", "127.0.0.1"].map((address) => new Error(`connect ECONNREFUSED ${address}:5432`));
  const error = Object.assign(new AggregateError(refused), { code: "ECONNREFUSED" });
  await expect(wait(() => Promise.reject(error), { timeoutMs: 0 })).rejects.toThrow(
    "the database was not available for 0 s: connect ECONNREFUSED ::1:5432, connect ECONNREFUSED 127.0.0.1:5432",
  );
});

it("ends at once if the database refuses the password, without naming it", async () => {
  let attempts = 0;
  const step = () => {
    attempts += 1;
    return connect({ password: "not-the-password" });
  };
  const failed = wait(step);
  await expect(failed).rejects.toThrow(
    /^DATABASE_URL, DATABASE_PASSWORD: the database refuses the login: password auth/,
  );
  await expect(failed).rejects.not.toThrow(/not-the-password/);
  expect(attempts).toBe(1);
});

it.each([
  ["of an authority that nobody named", "127.0.0.1", "sslmode=require", /is of an authority .*sslrootcert=/],
  ["for another name", "localhost", "sslmode=verify-full&sslrootcert=", /is for another name .*sslmode=verify-ca/],
])("ends at once at a certificate %s, and names the way out", async (_which, host, query, message) => {
  const folder = await mkdtemp(join(tmpdir(), "slipway-ca-"));
  const server = await startTlsPostgres(database.url, [host]);
  const file = join(folder, "ca.pem");
  await writeFile(file, server.authority);
  const DATABASE_URL = `${database.url.replace(/@.*?\//, `@127.0.0.1:${server.port}/`)}?${query.replace(/=$/, `=${file}`)}`;
  const connectTo = async (url: string) => {
    const client = new pg.Client({ connectionString: parseEnv({ DATABASE_URL: url, MASTER_KEY: "k" }).DATABASE_URL });
    client.on("error", () => {});
    await client.connect();
    await client.end();
    return "connected";
  };
  const warned = vi.spyOn(process, "emitWarning");
  const failed = wait(() => connectTo(DATABASE_URL));
  await expect(failed).rejects.toThrow(/^DATABASE_URL: the certificate of the database/);
  await expect(failed).rejects.toThrow(message);
  await expect(failed).rejects.toBeInstanceOf(SettingsError);
  const url = DATABASE_URL.replace(/\?.*/, "");
  // Without the name, with the authority alone.
  expect(await connectTo(`${url}?sslmode=verify-ca&sslrootcert=${file}`)).toBe("connected");
  expect(await connectTo(`${url}?sslmode=no-verify`)).toBe("connected");
  expect(warned).not.toHaveBeenCalled();
  await server.close();
  await rm(folder, { recursive: true });
});

it("ends at once if TLS is demanded of a database without it", async () => {
  const connectionString = `${database.url}?sslmode=verify-full`;
  const client = new pg.Client({ connectionString });
  client.on("error", () => {});
  const failed = wait(() => client.connect());
  await expect(failed).rejects.toThrow("DATABASE_URL: the database offers no TLS, which sslmode demands");
});

it("tells a name that does not resolve, and nothing else of the address", async () => {
  const error = Object.assign(new Error("getaddrinfo ENOTFOUND db.invalid"), {
    code: "ENOTFOUND",
    hostname: "db.invalid",
  });
  await expect(wait(() => Promise.reject(error), { timeoutMs: 0 })).rejects.toThrow(
    /: the name db\.invalid does not resolve \(ENOTFOUND\)$/,
  );
});

it("ends at once if the store refuses the keys", async () => {
  let requests = 0;
  const server = createHttpServer((_request, response) => {
    requests += 1;
    response.writeHead(403).end();
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const store = new S3Driver({
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    region: "us-east-1",
    bucket: "slipway",
    accessKeyId: "wrong",
    secretAccessKey: "wrong",
    forcePathStyle: true,
  });
  const failed = whenAvailable("store", () => store.prepare(), { retryMs: 1 });
  await expect(failed).rejects.toThrow(
    /^S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY: the store refuses them: S3 ListObjectsV2/,
  );
  expect(requests).toBeLessThan(3);
  server.close().closeAllConnections();
});

it("ends at once on any other error", async () => {
  const error = new SettingsError("MASTER_KEY: the key is missing");
  await expect(wait(() => Promise.reject(error))).rejects.toBe(error);
});
