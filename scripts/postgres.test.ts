import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isAlive, stopProcess } from "./lib/processes.mjs";
import { findPostgres, parsePostmasterPid, startPostgres } from "./postgres.mjs";

let dataDir: string;
beforeAll(() => {
  dataDir = mkdtempSync(join(tmpdir(), "slipway-postgres-"));
  // If root runs the tests, the server runs under another account, which must be able to enter the folder.
  chmodSync(dataDir, 0o711);
});
afterAll(async () => {
  await findPostgres(dataDir)?.destroy();
  rmSync(dataDir, { recursive: true, force: true });
});

const start = () => startPostgres({ dataDir, throwAway: true });

async function queryValue(connectionString: string, sql: string): Promise<unknown> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: 5_000 });
  client.on("error", () => {});
  await client.connect();
  try {
    return Object.values((await client.query(sql)).rows[0] ?? {})[0];
  } finally {
    await client.end();
  }
}

describe("parsePostmasterPid", () => {
  it("reads the PID, the port and the state", () => {
    const content = "812\n/data\n1795193000\n40123\n\n127.0.0.1\n  1234 5\nready   \n";
    expect(parsePostmasterPid(content)).toEqual({ pid: 812, port: 40_123, ready: true });
  });

  it("does not report a starting server as ready", () => {
    expect(parsePostmasterPid("812\n/data\n1795193000\n40123\n\n127.0.0.1\n  1234 5\nstarting\n")?.ready).toBe(false);
    expect(parsePostmasterPid("812\n/data\n")).toEqual({ pid: 812, port: 0, ready: false });
  });

  it.each(["", "\n", "x\n", "-7\n"])("rejects %j", (content) => {
    expect(parsePostmasterPid(content)).toBeUndefined();
  });
});

describe("the embedded PostgreSQL", { timeout: 60_000 }, () => {
  it("is created on the first start, listens on the loopback address only and requires a password", async () => {
    const server = await start();
    expect(server.state).toBe("created");
    expect(await queryValue(server.url, "SELECT current_user")).toBe("slipway");
    expect(await queryValue(server.superuserUrl, "SHOW listen_addresses")).toBe("127.0.0.1");
    expect(await queryValue(server.superuserUrl, "SHOW unix_socket_directories")).toBe("");
    expect(await queryValue(server.superuserUrl, "SHOW server_encoding")).toBe("UTF8");
    expect(
      await queryValue(
        server.superuserUrl,
        "SELECT datlocprovider::text || datlocale FROM pg_database WHERE datname = 'slipway'",
      ),
    ).toBe("bC.UTF-8");
    await expect(queryValue(server.url.replace(/:[^:@]+@/, ":wrong@"), "SELECT 1")).rejects.toThrow(
      /password authentication failed/,
    );
    await expect(queryValue(server.url, "COPY (SELECT 1) TO PROGRAM 'true'")).rejects.toThrow(/permission denied/);
  });

  it("stores its passwords readable by the owner only", () => {
    expect(statSync(join(dataDir, "postgres", "credentials.json")).mode & 0o777).toBe(0o600);
    expect(statSync(join(dataDir, "postgres")).mode & 0o777).toBe(0o700);
  });

  it("is reused if it is still running", async () => {
    const running = await start();
    expect(running.state).toBe("reused");
    expect(findPostgres(dataDir)?.pid).toBe(running.pid);
  });

  it("restarts at the same address with its data", async () => {
    const first = await start();
    await queryValue(first.url, "CREATE TABLE kept AS SELECT 42 AS answer");
    await first.stop();
    expect(isAlive(first.pid)).toBe(false);
    expect(findPostgres(dataDir)).toBeUndefined();
    const second = await start();
    expect(second.state).toBe("started");
    expect(second.url).toBe(first.url);
    expect(await queryValue(second.url, "SELECT answer FROM kept")).toBe(42);
  });

  it("recovers from kill -9", async () => {
    const first = await start();
    await stopProcess(first.pid, { graceMs: 0, signal: "SIGKILL" });
    const second = await start();
    expect(second.state).toBe("started");
    expect(await queryValue(second.url, "SELECT answer FROM kept")).toBe(42);
  });

  it("does not mistake another process with the PID of a dead server for the server", async () => {
    const server = await start();
    const file = join(server.directory, "data", "postmaster.pid");
    const content = readFileSync(file, "utf8");
    await server.stop();
    writeFileSync(file, content.replace(/^\d+/, String(process.pid)));
    expect(findPostgres(dataDir)).toBeUndefined();
    expect((await start()).state).toBe("started");
    expect(isAlive(process.pid)).toBe(true);
  });

  it("starts once for concurrent calls", async () => {
    await (await start()).stop();
    const servers = await Promise.all([start(), start(), start()]);
    expect(new Set(servers.map(({ pid }) => pid)).size).toBe(1);
    expect(servers.filter(({ state }) => state === "started")).toHaveLength(1);
  });

  it("refuses the data of another major version and names both", async () => {
    const server = await start();
    await server.stop();
    const file = join(server.directory, "data", "PG_VERSION");
    const ours = readFileSync(file, "utf8");
    writeFileSync(file, "17\n");
    await expect(start()).rejects.toThrow(/PostgreSQL 17.*PostgreSQL 18/);
    writeFileSync(file, ours);
  });

  it("reports the server's log if it cannot start", async () => {
    await expect(startPostgres({ dataDir, settings: { shared_buffers: "none" } })).rejects.toThrow(/shared_buffers/);
  });

  it("leaves no process and no files when it is destroyed", async () => {
    const server = await start();
    await server.destroy();
    expect(isAlive(server.pid)).toBe(false);
    expect(existsSync(server.directory)).toBe(false);
  });
});
