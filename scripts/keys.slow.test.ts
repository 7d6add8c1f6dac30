import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { databasePool, db } from "@/lib/db/client";
import { parseMasterKeys } from "@/lib/kernel/crypto/master-keys";
import { countMasterKeyUse } from "@/lib/keys/master-key-use";
import { untilWaitingForLocks } from "@/lib/testing/locks";
import { fillSealedColumns, newMasterKey } from "@/lib/testing/master-keys";
import { bundleCommands } from "./lib/commands.mjs";
import { setUpTestDatabase } from "./test-database";

setUpTestDatabase();

const folder = mkdtempSync(join(tmpdir(), "slipway-keys-"));
const [older, newer] = [newMasterKey(), newMasterKey()];
const idOf = (key: string) => parseMasterKeys(key).current.id;
let total: number;

beforeAll(async () => {
  await bundleCommands(folder);
  total = await fillSealedColumns(older, { signingKeys: 3_000 });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function start(command: string, masterKey: string) {
  return spawn(process.execPath, [join(folder, "keys.mjs"), command], {
    cwd: folder,
    stdio: ["ignore", "pipe", "pipe"],
    env: {
      NODE_ENV: "production",
      APP_URL: "https://slipway.example.com",
      DATABASE_URL: process.env.DATABASE_URL,
      DATA_DIR: join(folder, "data"),
      MASTER_KEY: masterKey,
    },
  });
}

async function run(command: string, masterKey: string) {
  const child = start(command, masterKey);
  const [out, err, [code]] = await Promise.all([
    text(child.stdout as Readable),
    text(child.stderr as Readable),
    once(child, "close"),
  ]);
  return { code, out, err };
}

const valuesUnder = async (key: string) =>
  (await countMasterKeyUse()).reduce((sum, { keyId, count }) => sum + (keyId === idOf(key) ? count : 0), 0);

describe("npm run keys", () => {
  it("status counts the values of each key, and exits with 1 if one is missing", async () => {
    const { code, out } = await run("status", newer);
    expect(code).toBe(1);
    expect(out).toContain(`${idOf(newer)} (current): 0 values\n`);
    expect(out).toContain(`${idOf(older)} (MISSING from MASTER_KEY): ${total} values\n  TwoFactor.secret: 1\n`);
    expect((await run("status", `${newer},${older}`)).out).toContain(`${idOf(older)} (old): ${total} values\n`);
  });

  it("verify exits with 1 and lists the values that do not open, without their content", async () => {
    const { code, out } = await run("verify", newer);
    expect(code).toBe(1);
    expect(out.trimEnd().split("\n")).toHaveLength(total + 1);
    expect(out).toContain(`AuthProvider github secret: the master key ${idOf(older)} is not among the given ones\n`);
    expect(await run("verify", older)).toEqual({ code: 0, out: `${total} values open, 0 do not\n`, err: "" });
  });

  it("rotate resumes after a kill -9 in any batch", async () => {
    for (const row of [600, 1_300, 2_100, 2_900]) {
      // The batch with this row waits within its statement while the process is killed.
      const client = await databasePool().connect();
      await client.query("BEGIN");
      const kid = `test-${String(row).padStart(8, "0")}`;
      await client.query('SELECT 1 FROM "ServerKey" WHERE "kid" = $1 FOR UPDATE', [kid]);
      const before = await valuesUnder(newer);
      const child = start("rotate", `${newer},${older}`);
      const exited = once(child, "exit");
      await untilWaitingForLocks(1);
      child.kill("SIGKILL");
      await exited;
      await client.query("ROLLBACK");
      client.release();
      // PostgreSQL may finish the statement before it notices that the process has exited.
      await untilWaitingForLocks(0);
      const after = await valuesUnder(newer);
      expect(after).toBeGreaterThanOrEqual(before);
      expect(after).toBeLessThan(total);
      expect((await run("verify", `${newer},${older}`)).out).toBe(`${total} values open, 0 do not\n`);
    }
    const done = await run("rotate", `${newer},${older}`);
    expect([done.code, done.err]).toEqual([0, ""]);
    expect(done.out).toContain("No value needs another key.");
    expect(await run("verify", newer)).toEqual({ code: 0, out: `${total} values open, 0 do not\n`, err: "" });
  });

  it("rotate exits with 1 and reports a value that could not be rewrapped", async () => {
    await db.authProvider.update({ where: { provider: "github" }, data: { secret: Buffer.from("damaged") } });
    const { code, out } = await run("rotate", newer);
    expect(code).toBe(1);
    expect(out).toContain("AuthProvider github secret: not a sealed value\n");
    expect(out).toContain("not a sealed value: 1 values\n");
  });

  it("shows its usage for anything else", async () => {
    expect(await run("renew", newer)).toMatchObject({ code: 2, out: "" });
  });
});
