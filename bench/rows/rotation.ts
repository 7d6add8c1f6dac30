import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import pg from "pg";
import { parseMasterKeys } from "@/lib/kernel/crypto/master-keys";
import { bundleCommands } from "../../scripts/lib/commands.mjs";
import { type Bench, startBench } from "../bench.ts";
import { fill } from "../fill.ts";
import { Client } from "../load.ts";
import { mebibytes, quantile, type Row, seconds } from "../report.ts";

const WARM_UP = 20;
const REVEALS = 150;
const SAMPLE_INTERVAL_MS = 20;
/** How much more memory a command may take for the most values than for the fewest. */
const MAX_GROWTH_BYTES = 64 * 1024 ** 2;

interface CommandRun {
  milliseconds: number;
  /** The peak of its resident memory, which the kernel records (`VmHWM`, proc_pid_status(5)). */
  peakBytes: number;
}

/** Runs `keys.mjs`. @throws Error with its output if it fails */
async function runKeys(
  folder: string,
  command: "rotate" | "verify",
  settings: Record<string, string>,
): Promise<CommandRun> {
  const begun = performance.now();
  const child = spawn(process.execPath, [join(folder, "keys.mjs"), command], {
    cwd: folder,
    stdio: ["ignore", "pipe", "ignore"],
    env: { ...settings, NODE_ENV: "production", APP_URL: "http://localhost", DATA_DIR: folder },
  });
  let peakBytes = 0;
  const sampler = setInterval(() => {
    try {
      const kilobytes = /^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${child.pid}/status`, "utf8"))?.[1];
      peakBytes = Math.max(peakBytes, Number(kilobytes ?? 0) * 1024);
    } catch {
      // It has exited.
    }
  }, SAMPLE_INTERVAL_MS);
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
  const output = await text(child.stdout);
  const code = await ended;
  clearInterval(sampler);
  if (code !== 0) throw new Error(`keys ${command} exited with ${code}: ${output}`);
  return { milliseconds: performance.now() - begun, peakBytes };
}

/**
 * Measures the rotation and verification of sealed values in a console's database: the values of secure variables and those of
 * their history.
 * @param sizes how many values to rotate, one after another
 * @param during called while the most values are rotated
 */
export async function measureRotations(
  target: { databaseUrl: string; folder: string; appId: string },
  keys: { older: string; newer: string },
  sizes: readonly number[],
  during: (rotation: Promise<unknown>) => Promise<void> = async () => {},
): Promise<{ values: number; rotate: CommandRun; verify: CommandRun }[]> {
  await bundleCommands(target.folder);
  const settings = { DATABASE_URL: target.databaseUrl, MASTER_KEY: `${keys.newer},${keys.older}` };
  const runs = [];
  for (const values of sizes) {
    const environmentId = await addEnvironment(target, `Rotation of ${values}`);
    // Each variable is sealed in its row and in the history.
    const amounts = { secureVariables: values / 2, configurationVersions: 1 };
    await fill(target.databaseUrl, amounts, { environmentId, keys: parseMasterKeys(keys.older) });
    const rotation = runKeys(target.folder, "rotate", settings);
    if (values === sizes.at(-1)) await during(rotation);
    runs.push({ values, rotate: await rotation, verify: await runKeys(target.folder, "verify", settings) });
  }
  return runs;
}

async function addEnvironment(target: { databaseUrl: string; appId: string }, name: string): Promise<string> {
  const client = new pg.Client({ connectionString: target.databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ id: string }>(
      `INSERT INTO "Environment" ("id", "appId", "name", "identifiers") VALUES (gen_random_uuid(), $1, $2, '{}') RETURNING "id"`,
      [target.appId, name],
    );
    return rows[0]?.id as string;
  } finally {
    await client.end();
  }
}

/** Creates a secure variable and a token that reads it. @returns the URL of its reveal and the headers */
async function createReveal(bench: Bench): Promise<{ url: string; headers: Record<string, string> }> {
  const { environmentId } = bench;
  const token = await bench.createToken(["secure-variable:write"]);
  const headers = { authorization: `Bearer ${token}` };
  const created = await fetch(`${bench.baseUrl}/api/apps/create-secure-variable`, {
    method: "POST",
    headers: { ...headers, "content-type": "application/json" },
    body: JSON.stringify({ environmentId, name: "Revealed", key: "REVEALED", value: "a secret" }),
  });
  if (!created.ok) throw new Error(await created.text());
  const { id } = await created.json();
  return { url: `${bench.baseUrl}/api/apps/get-secure-variable?id=${id}`, headers };
}

/** Measures the rotation of the master key of 1,000 to 100,000 values, and reveals while it runs. */
export async function rotationRows(_bench: Bench, { scale }: { scale: number }): Promise<Row[]> {
  const [older, newer] = [randomBytes(32).toString("base64"), randomBytes(32).toString("base64")];
  const bench = await startBench({ MASTER_KEY: `${newer},${older}` });
  try {
    const { url, headers } = await createReveal(bench);
    const client = new Client({ connections: 1, headers });
    const quiet: number[] = [];
    for (let turn = 0; turn < WARM_UP + REVEALS; turn++) {
      const { milliseconds } = await client.get(url);
      if (turn >= WARM_UP) quiet.push(milliseconds);
    }
    const busy: number[] = [];
    const reveal = async (rotation: Promise<unknown>) => {
      let isRunning = true;
      const stop = () => {
        isRunning = false;
      };
      rotation.then(stop, stop);
      while (isRunning) busy.push((await client.get(url)).milliseconds);
    };
    const sizes = [1_000, 10_000, 100_000].map((size) => size * scale);
    const target = { databaseUrl: bench.databaseUrl, folder: bench.runDir, appId: bench.appId };
    const runs = await measureRotations(target, { older, newer }, sizes, reveal);
    client.close();
    const [few, many] = [runs[0], runs.at(-1)] as [(typeof runs)[0], (typeof runs)[0]];
    const format = (count: number) => count.toLocaleString("en");
    return [
      ...(["rotate", "verify"] as const).map((command): Row => {
        const growth = many[command].peakBytes - few[command].peakBytes;
        return {
          what: `keys ${command} of ${format(many.values)} values: peak of its memory`,
          measured: `${mebibytes(many[command].peakBytes)} in ${seconds(many[command].milliseconds)}`,
          reference: `${mebibytes(few[command].peakBytes)} with ${format(few.values)}`,
          ratio: null,
          goal: "at most 64 MiB more",
          met: growth <= MAX_GROWTH_BYTES,
        };
      }),
      {
        what: `a reveal during the rotation of ${format(many.values)} values`,
        measured: `p95 ${quantile(busy, 0.95).toFixed(1)} ms`,
        reference: `p95 ${quantile(quiet, 0.95).toFixed(1)} ms before it`,
        ratio: quantile(busy, 0.95) / quantile(quiet, 0.95),
        goal: "",
        met: null,
      },
    ];
  } finally {
    await bench.stop();
  }
}
