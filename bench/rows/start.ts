import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { projectDir } from "../../scripts/lib/files.mjs";
import { findFreePort } from "../../scripts/lib/ports.mjs";
import { databaseStart, nodeStart } from "../references.ts";
import { compared, median, type Row, seconds } from "../report.ts";

const ROUNDS = 3;
const RATIO_GOAL = 30;

/** Runs `npm start`. @returns milliseconds until it reports that it is ready */
async function startOnce(dataDir: string, port: number): Promise<number> {
  const begun = performance.now();
  const child = spawn("npm", ["start"], {
    cwd: projectDir,
    env: { ...process.env, DATA_DIR: dataDir, PORT: String(port) },
    stdio: ["ignore", "pipe", "inherit"],
    detached: true,
  });
  const ended = new Promise<void>((resolve) => child.once("close", () => resolve()));
  const ready = await new Promise<number>((resolve, reject) => {
    let text = "";
    child.stdout.on("data", (chunk) => {
      text += chunk;
      if (text.includes("Slipway is ready")) resolve(performance.now() - begun);
    });
    child.once("close", () => reject(new Error(`npm start exited before it was ready:\n${text}`)));
  });
  process.kill(-(child.pid as number), "SIGTERM");
  await ended;
  return ready;
}

/** Measures `npm start` on a built tree with data, until it is ready. */
export async function startRows(): Promise<Row[]> {
  const dataDir = await mkdtemp(join(tmpdir(), "slipway-start-"));
  try {
    const port = await findFreePort("127.0.0.1");
    await startOnce(dataDir, port);
    const times: Record<"start" | "database", number[]> = { start: [], database: [] };
    // In turns, so that whatever else the machine does affects both.
    for (let round = 0; round < ROUNDS; round++) {
      times.database.push(await databaseStart(dataDir));
      times.start.push(await startOnce(dataDir, port));
    }
    return [
      compared("npm start on a built tree, until ready", {
        measured: median(times.start),
        reference: median(times.database) + nodeStart(ROUNDS),
        of: "the database and `node -e 0`",
        format: seconds,
        goal: { most: RATIO_GOAL },
      }),
    ];
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}
