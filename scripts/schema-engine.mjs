#!/usr/bin/env node
/**
 * Replaces Prisma's native schema engine, which the Prisma CLI would download. It serves the same JSON-RPC over standard input
 * and output with the WebAssembly build of the engine and the `pg` driver. The Prisma CLI runs the file named by
 * PRISMA_SCHEMA_ENGINE_BINARY for `prisma migrate …`; `prisma generate` only checks that it exists.
 */
import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { createInterface } from "node:readline";
import { parseArgs } from "node:util";
import { PrismaPg } from "@prisma/adapter-pg";
import { bindMigrationAwareSqlAdapterFactory, ColumnTypeEnum } from "@prisma/driver-adapter-utils";
import * as engineModule from "@prisma/schema-engine-wasm/schema_engine_bg";
import pg from "pg";

/** @typedef {Awaited<ReturnType<PrismaPg["connect"]>>} Connection */

/** The OIDs in pg_type of PostgreSQL's one-byte type "char" and of the padded char(n). */
const oid = { char: 18, bpchar: 1042 };

/** Prisma's codes for connection errors, by SQLSTATE. */
const errorCodes = new Map([
  ["28P01", "P1000"],
  ["3D000", "P1003"],
  ["42P04", "P1009"],
]);
const unreachable = "P1001";

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  strict: false,
  options: {
    datamodels: { type: "string", multiple: true },
    datasource: { type: "string" },
  },
});
/** @type {string} */
const url =
  typeof options.datasource === "string" ? JSON.parse(options.datasource).url : (process.env.DATABASE_URL ?? "");

/**
 * @param {string} base
 * @param {string} database
 * @returns {string} the URL of another database on the same server
 */
function withDatabase(base, database) {
  const other = new URL(base);
  other.pathname = `/${database}`;
  return other.href;
}

/**
 * @param {string} connectionString
 * @param {string} [sql]
 */
async function runOnce(connectionString, sql) {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: 5_000 });
  await client.connect();
  try {
    if (sql) await client.query(sql);
  } finally {
    await client.end();
  }
}

/**
 * Runs a command that the Prisma CLI runs as a separate process, such as `cli create-database`.
 *
 * @param {string | undefined} command
 */
async function runCommand(command) {
  const name = decodeURIComponent(new URL(url).pathname.slice(1));
  const quoted = pg.escapeIdentifier(name);
  try {
    if (command === "create-database") await runOnce(withDatabase(url, "postgres"), `CREATE DATABASE ${quoted}`);
    else if (command === "drop-database") {
      await runOnce(withDatabase(url, "postgres"), `DROP DATABASE IF EXISTS ${quoted} WITH (FORCE)`);
    } else await runOnce(url);
  } catch (error) {
    const { message, code = "" } = /** @type {NodeJS.ErrnoException} */ (error);
    const report = {
      timestamp: new Date().toISOString(),
      level: "ERROR",
      target: "schema_engine::logger",
      fields: { message: message || code, is_panic: false, error_code: errorCodes.get(code) ?? unreachable },
    };
    // The Prisma CLI ignores the first line.
    process.stderr.write(`{}\n${JSON.stringify(report)}\n`);
    process.exitCode = 1;
  }
}

/**
 * Works around two limits of the driver adapter: it rejects the type "char", which the engine's catalog queries return, and
 * it splits scripts at each semicolon, also within function bodies.
 *
 * @param {Connection} connection
 * @returns {Connection}
 */
function adapt(connection) {
  const queryRaw = connection.queryRaw;
  const performIO = Reflect.get(connection, "performIO").bind(connection);
  connection.queryRaw = async (query) => {
    /** @type {boolean[]} */
    let isChar = [];
    const view = Object.create(connection, {
      performIO: {
        value: async (/** @type {unknown} */ request) => {
          const answer = await performIO(request);
          /** @type {{ dataTypeID: number }[]} */
          const fields = answer.fields;
          isChar = fields.map(({ dataTypeID }) => dataTypeID === oid.char);
          for (const field of fields) if (field.dataTypeID === oid.char) field.dataTypeID = oid.bpchar;
          return answer;
        },
      },
    });
    const result = await queryRaw.call(view, query);
    isChar.forEach((yes, column) => {
      if (yes) result.columnTypes[column] = ColumnTypeEnum.Character;
    });
    return result;
  };
  connection.executeScript = async (script) => {
    try {
      await connection.underlyingDriver().query(script);
    } catch (error) {
      Reflect.get(connection, "onError").call(connection, error);
    }
  };
  return connection;
}

/** The driver of the database, and of the shadow database in which the engine replays the migrations. */
class EngineFactory extends PrismaPg {
  /** @override */
  async connect() {
    return adapt(await super.connect());
  }

  /** @override */
  async connectToShadowDb() {
    const name = `prisma_migrate_shadow_db_${randomUUID()}`;
    await runOnce(url, `CREATE DATABASE "${name}"`);
    const connection = adapt(await new PrismaPg({ connectionString: withDatabase(url, name) }).connect());
    const dispose = connection.dispose.bind(connection);
    connection.dispose = async () => {
      await dispose();
      await runOnce(url, `DROP DATABASE IF EXISTS "${name}" WITH (FORCE)`);
    };
    return connection;
  }
}

/** @returns {Promise<import("@prisma/schema-engine-wasm/schema_engine_bg").SchemaEngine>} */
async function loadEngine() {
  const file = createRequire(import.meta.url)
    .resolve("@prisma/schema-engine-wasm")
    .replace(/schema_engine\.js$/, "schema_engine_bg.wasm");
  const instance = new WebAssembly.Instance(
    new WebAssembly.Module(readFileSync(file)),
    /** @type {WebAssembly.Imports} */ (/** @type {unknown} */ ({ "./schema_engine_bg.js": engineModule })),
  );
  engineModule.__wbg_set_wasm(instance.exports);
  /** @type {() => void} */ (instance.exports.__wbindgen_start)();
  // The engine passes the message of a panic to this object.
  Object.assign(globalThis, {
    PRISMA_WASM_PANIC_REGISTRY: {
      set_message: (/** @type {string} */ message) => process.stderr.write(`panic: ${message}\n`),
    },
  });
  const files = Array.isArray(options.datamodels) ? options.datamodels.filter((path) => typeof path === "string") : [];
  return engineModule.SchemaEngine.new(
    { datamodels: files.length > 0 ? files.map((path) => [path, readFileSync(path, "utf8")]) : undefined },
    (/** @type {string} */ line) => {
      if (process.env.DEBUG) process.stderr.write(`${line}\n`);
    },
    bindMigrationAwareSqlAdapterFactory(new EngineFactory({ connectionString: url })),
  );
}

/** @param {object} message */
function send(message) {
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
}

async function serve() {
  /** @type {ReturnType<typeof loadEngine> | undefined} */
  let engine;
  /** @type {Record<string, () => Promise<unknown>>} */
  const localMethods = {
    createDatabase: async () => ({ databaseName: new URL(url).pathname.slice(1) }),
    ensureConnectionValidity: async () => {
      await runOnce(url);
      return {};
    },
  };
  for await (const line of createInterface({ input: process.stdin })) {
    if (line.trim() === "") continue;
    const { id, method, params } = JSON.parse(line);
    // A message without a method is the Prisma CLI's reply to a "print".
    if (!method) continue;
    try {
      const local = localMethods[method];
      let result;
      if (local) result = await local();
      else {
        engine ??= loadEngine();
        const loaded = await engine;
        const name = method === "getDatabaseVersion" ? "version" : method;
        result = await Reflect.get(loaded, name).call(loaded, params);
      }
      if (method === "diff" && result?.stdout)
        send({ id: "print", method: "print", params: { content: result.stdout } });
      send({ id, result: result ?? null });
    } catch (error) {
      const { message, code, meta = null } = /** @type {Error & { code?: string, meta?: unknown }} */ (error);
      const data = { is_panic: false, message: message ?? String(error), error_code: code, meta };
      send({ id, error: { code: 4466, message: "An error happened.", data } });
    }
  }
}

if (positionals[0] === "cli") await runCommand(positionals[1]);
else {
  await serve();
  // The engine's open connections would keep the process running.
  process.exit(0);
}
