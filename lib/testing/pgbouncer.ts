import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findFreePort } from "@/scripts/lib/ports.mjs";

const PLACES = ["/usr/sbin/pgbouncer", "/usr/bin/pgbouncer", "/usr/local/bin/pgbouncer", "/opt/homebrew/bin/pgbouncer"];
const START_TIMEOUT_MS = 10_000;
/** Fewer than the connections of a pool, so that transactions of the console take turns on them. */
const SERVER_CONNECTIONS = 3;

/** PgBouncer, and whether it supports prepared statements in transaction mode. */
export interface PgBouncer {
  program: string;
  prepares: boolean;
}

/** @returns PgBouncer, or an error if it is not installed */
export function findPgBouncer(): PgBouncer | Error {
  const program = PLACES.find((path) => existsSync(path));
  if (program === undefined) return new Error("PgBouncer is not installed");
  const [, major = 0, minor = 0] = /PgBouncer (\d+)\.(\d+)/.exec(execFileSync(program, ["--version"]).toString()) ?? [];
  return { program, prepares: Number(major) > 1 || Number(minor) >= 21 };
}

/** Starts PgBouncer in transaction mode before a database. @returns the URL of the database through it */
export async function startPgBouncer(
  program: string,
  databaseUrl: string,
): Promise<{ url: string; stop(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), "slipway-pgbouncer-"));
  await chmod(folder, 0o755);
  const target = new URL(databaseUrl);
  const port = await findFreePort("127.0.0.1");
  const name = target.pathname.slice(1);
  const password = decodeURIComponent(target.password);
  await writeFile(
    join(folder, "pgbouncer.ini"),
    `[databases]
${name} = host=${target.hostname} port=${target.port || 5432} dbname=${name} connect_query='SET statement_timeout = 30000'
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
pool_mode = transaction
default_pool_size = ${SERVER_CONNECTIONS}
auth_type = plain
auth_file = ${join(folder, "users.txt")}
`,
  );
  await writeFile(join(folder, "users.txt"), `"${decodeURIComponent(target.username)}" "${password}"\n`);
  // It refuses to run as root.
  const isRoot = process.getuid?.() === 0;
  const child = spawn(program, ["--quiet", join(folder, "pgbouncer.ini")], {
    stdio: ["ignore", "ignore", "inherit"],
    ...(isRoot && { uid: 65_534, gid: 65_534 }),
  });
  const exited = once(child, "exit");
  const deadline = Date.now() + START_TIMEOUT_MS;
  while (!(await accepts(port))) {
    if (child.exitCode !== null || Date.now() > deadline) throw new Error("PgBouncer did not start");
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  const through = new URL(databaseUrl);
  through.hostname = "127.0.0.1";
  through.port = String(port);
  return {
    url: through.href,
    async stop() {
      child.kill("SIGKILL");
      await exited;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function accepts(port: number): Promise<boolean> {
  const socket = connect(port, "127.0.0.1");
  try {
    await once(socket, "connect");
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
