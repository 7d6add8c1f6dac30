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
  // Root starts the server as somebody else, who has to pass.
  chmodSync(dataDir, 0o711);
});
afterAll(async () => {
  await findPostgres(dataDir)?.destroy();
  rmSync(dataDir, { recursive: true, force: true });
});

const start = () => startPostgres({ dataDir, throwAway: true });

async function ask(connectionString: string, sql: string): Promise<unknown> {
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
  it("reads number, port and state", () => {
    const content = "812\n/data\n1795193000\n40123\n\n127.0.0.1\n  1234 5\nready   \n";
    expect(parsePostmasterPid(content)).toEqual({ pid: 812, port: 40_123, ready: true });
  });

  it("does not call a starting server ready", () => {
    expect(parsePostmasterPid("812\n/data\n1795193000\n40123\n\n127.0.0.1\n  1234 5\nstarting\n")?.ready).toBe(false);
    expect(parsePostmasterPid("812\n/data\n")).toEqual({ pid: 812, port: 0, ready: false });
  });

  it.each(["", "\n", "x\n", "-7\n"])("takes %j for no such file", (content) => {
    expect(parsePostmasterPid(content)).toBeUndefined();
  });
});

describe("the embedded PostgreSQL", { timeout: 60_000 }, () => {
  it("is made on the first start, for the loopback address and by password alone", async () => {
    const server = await start();
    expect(server.state).toBe("created");
    expect(await ask(server.url, "SELECT current_user")).toBe("slipway");
    expect(await ask(server.superuserUrl, "SHOW listen_addresses")).toBe("127.0.0.1");
    expect(await ask(server.superuserUrl, "SHOW unix_socket_directories")).toBe("");
    expect(await ask(server.superuserUrl, "SHOW server_encoding")).toBe("UTF8");
    expect(
      await ask(
        server.superuserUrl,
        "SELECT datlocprovider::text || datlocale FROM pg_database WHERE datname = 'slipway'",
      ),
    ).toBe("bC.UTF-8");
    await expect(ask(server.url.replace(/:[^:@]+@/, ":wrong@"), "SELECT 1")).rejects.toThrow(
      /password authentication failed/,
    );
    await expect(ask(server.url, "COPY (SELECT 1) TO PROGRAM 'true'")).rejects.toThrow(/permission denied/);
  });

  it("keeps its passwords to the owner", () => {
    expect(statSync(join(dataDir, "postgres", "credentials.json")).mode & 0o777).toBe(0o600);
    expect(statSync(join(dataDir, "postgres")).mode & 0o777).toBe(0o700);
  });

  it("is taken over when it still runs", async () => {
    const running = await start();
    expect(running.state).toBe("reused");
    expect(findPostgres(dataDir)?.pid).toBe(running.pid);
  });

  it("stops, and starts again with the same address and nothing lost", async () => {
    const first = await start();
    await ask(first.url, "CREATE TABLE kept AS SELECT 42 AS answer");
    await first.stop();
    expect(isAlive(first.pid)).toBe(false);
    expect(findPostgres(dataDir)).toBeUndefined();
    const second = await start();
    expect(second.state).toBe("started");
    expect(second.url).toBe(first.url);
    expect(await ask(second.url, "SELECT answer FROM kept")).toBe(42);
  });

  it("recovers from kill -9", async () => {
    const first = await start();
    await stopProcess(first.pid, { graceMs: 0, signal: "SIGKILL" });
    const second = await start();
    expect(second.state).toBe("started");
    expect(await ask(second.url, "SELECT answer FROM kept")).toBe(42);
  });

  it("does not take a stranger with the number of a dead server for its own", async () => {
    const server = await start();
    const file = join(server.directory, "data", "postmaster.pid");
    const content = readFileSync(file, "utf8");
    await server.stop();
    writeFileSync(file, content.replace(/^\d+/, String(process.pid)));
    expect(findPostgres(dataDir)).toBeUndefined();
    expect((await start()).state).toBe("started");
    expect(isAlive(process.pid)).toBe(true);
  });

  it("starts once when several ask at the same time", async () => {
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

  it("says what the server's log says when it cannot start", async () => {
    await expect(startPostgres({ dataDir, settings: { shared_buffers: "none" } })).rejects.toThrow(/shared_buffers/);
  });

  it("leaves nothing when it is destroyed", async () => {
    const server = await start();
    await server.destroy();
    expect(isAlive(server.pid)).toBe(false);
    expect(existsSync(server.directory)).toBe(false);
  });
});
