import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { runQuietly } from "../../scripts/lib/children.mjs";
import { projectDir } from "../../scripts/lib/files.mjs";
import { findFreePort } from "../../scripts/lib/ports.mjs";
import { stopProcess, waitFor } from "../../scripts/lib/processes.mjs";
import { type Bench, startBench } from "../bench.ts";
import { fill } from "../fill.ts";
import { throughput } from "../load.ts";
import { median, type Row } from "../report.ts";

const CONNECTIONS = 8;
const ROUNDS = 3;
const ROUND_MS = 4_000;
const RELEASES = 1_000;
const SECURE_VARIABLES = 50;

/**
 * Builds and starts a Next app with one route handler that returns the given bytes. It is in the project folder, so that it
 * uses the same version of Next. It is built with webpack, because Turbopack would take the project for its root; the
 * server is the same.
 */
async function startBareRoute(json: string): Promise<{ url: string; stop(): Promise<void> }> {
  const results = join(projectDir, "bench", "results");
  await mkdir(results, { recursive: true });
  const folder = await mkdtemp(join(results, "bare-next-"));
  const next = join(projectDir, "node_modules", "next", "dist", "bin", "next");
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    await mkdir(join(folder, "app", "bare"), { recursive: true });
    await writeFile(join(folder, "package.json"), '{ "private": true, "type": "module" }');
    await writeFile(join(folder, "next.config.js"), "export default {};");
    await writeFile(join(folder, "answer.js"), `export default ${JSON.stringify(json)};`);
    await writeFile(
      join(folder, "app", "bare", "route.js"),
      `import answer from "../../answer.js";
       export const dynamic = "force-dynamic";
       export const GET = () => new Response(answer, {
         headers: { "content-type": "application/json", "cache-control": "no-store" },
       });`,
    );
    const env = { ...process.env, NODE_ENV: "production" as const, NEXT_TELEMETRY_DISABLED: "1" };
    await runQuietly("next build", process.execPath, [next, "build", "--webpack"], { cwd: folder, env });
    const port = await findFreePort("127.0.0.1");
    const server = spawn(process.execPath, [next, "start", "--hostname", "127.0.0.1", "--port", String(port)], {
      cwd: folder,
      env,
      stdio: "ignore",
    });
    const pid = server.pid as number;
    const kill = () => void server.kill("SIGKILL");
    process.once("exit", kill);
    const stop = async () => {
      process.off("exit", kill);
      await stopProcess(pid, { graceMs: 5_000 });
      await remove();
    };
    const url = `http://127.0.0.1:${port}/bare`;
    const responds = () =>
      fetch(url).then(
        ({ ok }) => ok,
        () => false,
      );
    await waitFor(responds, { timeoutMs: 30_000, everyMs: 100 });
    return { url, stop };
  } catch (error) {
    await remove();
    throw error;
  }
}

async function withReleases(work: (bench: Bench) => Promise<Row[]>): Promise<Row[]> {
  const bench = await startBench();
  try {
    await fill(bench.databaseUrl, { releases: RELEASES }, { releaseId: bench.releaseId });
    return await work(bench);
  } finally {
    await bench.stop();
  }
}

/** Creates secure variables, as a server with an API token does. */
async function createSecureVariables(bench: Bench): Promise<string> {
  const token = await bench.createToken(["secure-variable:write"]);
  for (let number = 1; number <= SECURE_VARIABLES; number++) {
    const value = randomBytes(24).toString("base64url");
    const created = await fetch(`${bench.baseUrl}/api/apps/create-secure-variable`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: JSON.stringify({ environmentId: bench.environmentId, name: `Key ${number}`, key: `KEY_${number}`, value }),
    });
    if (!created.ok) throw new Error(await created.text());
  }
  return token;
}

/** Measures requests per second of an operation, compared with the same bytes from a bare route. */
async function compareWithBareRoute(what: string, url: string, token: string): Promise<Row> {
  const headers = { authorization: `Bearer ${token}` };
  const bare = await startBareRoute(await (await fetch(url, { headers })).text());
  try {
    const rates: { ours: number[]; theirs: number[] } = { ours: [], theirs: [] };
    for (let round = 0; round <= ROUNDS; round++) {
      const options = { connections: CONNECTIONS, milliseconds: ROUND_MS, headers };
      const ours = await throughput(url, options);
      const theirs = await throughput(bare.url, options);
      if (round === 0) continue;
      rates.ours.push(ours);
      rates.theirs.push(theirs);
    }
    const [ours, theirs] = [median(rates.ours), median(rates.theirs)];
    return {
      what: `${what}, ${CONNECTIONS} connections`,
      measured: `${ours.toFixed(0)}/s`,
      reference: `${theirs.toFixed(0)}/s bare Next route`,
      ratio: ours / theirs,
      goal: "at least 0.4",
      met: ours / theirs >= 0.4,
    };
  } finally {
    await bare.stop();
  }
}

/** Measures requests per second of a list of releases and of the sealed variables that a server reads. */
export function requestRows(): Promise<Row[]> {
  return withReleases(async (bench) => {
    const api = `${bench.baseUrl}/api`;
    const list = `${api}/apps/get-testing-deploys?environmentId=${bench.environmentId}`;
    const server = await createSecureVariables(bench);
    return [
      await compareWithBareRoute(`get-testing-deploys, 25 of ${RELEASES} releases`, list, bench.token),
      await compareWithBareRoute(
        `client/get-secure-variables, ${SECURE_VARIABLES} sealed values, signed`,
        `${api}/client/get-secure-variables`,
        server,
      ),
    ];
  });
}
