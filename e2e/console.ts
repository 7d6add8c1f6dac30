import { cpSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import type { BuiltServer } from "../testing/built-server.ts";
import { noteConsole } from "../testing/canaries";
import { ConsoleClient } from "../testing/console-client";
import { ADMIN, setting } from "../testing/environment.ts";
import { startInstance } from "../testing/instance.ts";

let count = 0;

/** A database and a data folder, which are inspected and removed at the end of the run. */
export interface ConsoleStore {
  databaseUrl: string;
  dataDir: string;
}

/**
 * Makes a database and a data folder.
 *
 * @param content that of a console that has just started, or none
 */
export async function makeStore(content: "started" | "empty"): Promise<ConsoleStore & { name: string }> {
  const name = `e2e_${process.pid}_${++count}`;
  const template = new URL(setting("E2E_TEMPLATE_DATABASE_URL"));
  const source = content === "started" ? template.pathname.slice(1) : "template1";
  const client = new pg.Client({ connectionString: setting("E2E_SUPERUSER_URL") });
  await client.connect();
  // Copying the files costs a quarter of writing them to the log first, which is the default.
  await client.query(`CREATE DATABASE ${name} OWNER slipway TEMPLATE ${source} STRATEGY FILE_COPY`);
  await client.end();
  const dataDir = join(setting("E2E_RUN_DIR"), name);
  if (content === "started") cpSync(setting("E2E_TEMPLATE_DATA_DIR"), dataDir, { recursive: true });
  else mkdirSync(dataDir, { mode: 0o700 });
  return { name, databaseUrl: Object.assign(template, { pathname: `/${name}` }).href, dataDir };
}

/** A console of a file's own, for tests that change what the others need. */
export interface NewConsole extends ConsoleStore {
  server: BuiltServer;
  /** Without a slash at its end. */
  url: string;
  /** Signs the administrator in. */
  signIn(): Promise<ConsoleClient>;
  /** Stops the server if it still runs, and starts another one at the same address. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Starts a console with what one has that has just started. Its log is in `test-results/`, and what it left behind is inspected at
 * the end of the run.
 *
 * @param own settings besides those of all consoles
 */
export async function startNewConsole(own: Record<string, string> = {}): Promise<NewConsole> {
  const { name, databaseUrl, dataDir } = await makeStore("started");
  const settings = { ...JSON.parse(setting("E2E_SETTINGS")), ...own, DATABASE_URL: databaseUrl, DATA_DIR: dataDir };
  const server = await startInstance(name, settings);
  const { url, port } = server;
  noteConsole({ origin: url, databaseUrl, dataDir });
  const created: NewConsole = {
    server,
    url,
    databaseUrl,
    dataDir,
    signIn: () => ConsoleClient.signIn(url, ADMIN),
    async restart() {
      await created.stop();
      created.server = await startInstance(name, settings, port);
    },
    stop: () => created.server.stop(),
  };
  return created;
}

/** Starts the console of this process, of which `environment.ts` then speaks. */
export async function startConsole(): Promise<BuiltServer> {
  const { server, databaseUrl, dataDir } = await startNewConsole();
  Object.assign(process.env, { E2E_BASE_URL: server.url, E2E_DATA_DIR: dataDir, E2E_DATABASE_URL: databaseUrl });
  return server;
}
