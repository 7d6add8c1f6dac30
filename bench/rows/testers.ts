import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { writeIpa } from "@slipway/installers/testing";
import { projectDir } from "../../scripts/lib/files.mjs";
import { type Bench, startBench } from "../bench.ts";
import type { ClientsResult, ClientsTask } from "../download-clients.ts";
import { openFiles, processorMs, residentBytes, watchMemory } from "../memory.ts";
import { NGINX_MISSING, type Nginx, startNginx } from "../nginx.ts";
import { mebibytes, median, notMeasured, quantile, type Row, seconds } from "../report.ts";
import { curl } from "../transfer.ts";

const CLIENTS = 1_000;
/** The most that a client downloads, and how fast a phone reads in a shared wireless network. Slower machines get less of both. */
const MAX_FILE_BYTES = 100_000_000;
const MAX_BYTES_PER_SECOND = 2_000_000;
/** How long nginx takes to send the file to all clients at full speed, in seconds. */
const NGINX_SECONDS = 15;
/** The share of what nginx sends that clients ask for which read slowly. */
const SLOW_SHARE = 0.5;
/** The clients and bytes by which the speed of nginx is measured beforehand. */
const PROBE = { clients: 50, bytes: 20_000_000 };
/** How often a page and a call are requested during the downloads, each. */
const ASK_INTERVAL_MS = 200;
/** A page or a call takes at most so many times as long as while nginx sends the file. */
const ANSWER_GOAL = 2;
const MEMORY_GOAL_BYTES = 256 * 1024 ** 2;
const THROUGHPUT_GOAL = 0.6;
const ROUNDS = 2;

/** Runs the clients in a process of their own. */
function runClients(task: ClientsTask): Promise<ClientsResult> {
  const child = spawn(process.execPath, [join(projectDir, "bench", "download-clients.ts"), JSON.stringify(task)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  return new Promise((resolve, reject) => {
    let text = "";
    child.stdout.on("data", (chunk) => {
      text += chunk;
    });
    child.once("error", reject);
    child.once("close", (code) => {
      if (code === 0) resolve(JSON.parse(text));
      else reject(new Error(`the clients exited with ${code}`));
    });
  });
}

/**
 * Requests a URL at a fixed rate, whether or not the requests before it were answered.
 * @returns stops, and returns the times in milliseconds; Infinity for each request that failed
 */
function ask(url: string, cookie: string): () => Promise<number[]> {
  const times: Promise<number>[] = [];
  const timer = setInterval(() => {
    const begun = performance.now();
    const answered = fetch(url, { headers: { cookie } }).then(async (answer) => {
      await answer.arrayBuffer();
      return answer.ok ? performance.now() - begun : Number.POSITIVE_INFINITY;
    });
    times.push(answered.catch(() => Number.POSITIVE_INFINITY));
  }, ASK_INTERVAL_MS);
  return () => {
    clearInterval(timer);
    return Promise.all(times);
  };
}

/** Reads a metric of the console. The delay of the event loop is that since the metrics were read before. */
async function metric(bench: Bench, token: string, name: string): Promise<number> {
  const answer = await fetch(`${bench.baseUrl}/api/metrics`, { headers: { authorization: `Bearer ${token}` } });
  return Number(new RegExp(`^${name}(?:{[^}]*})? (\\S+)$`, "m").exec(await answer.text())?.[1]);
}

/** What one run of all clients took. */
interface Run {
  clients: ClientsResult;
  /** Of the serving processes, in milliseconds. */
  processorMs: number;
  memoryGrowth: number;
  openFiles: number;
  pageTimes: number[];
  callTimes: number[];
}

/** Runs the clients at a server, while the console is asked for a page and a call. */
async function run(bench: Bench, task: ClientsTask, pids: readonly number[]): Promise<Run> {
  const page = ask(
    `${bench.baseUrl}/testing-deploys?app=${bench.appId}&environment=${bench.environmentId}`,
    bench.cookie,
  );
  const call = ask(`${bench.baseUrl}/api/apps/get-testing-deploys?environmentId=${bench.environmentId}`, bench.cookie);
  const grown = pids.map((pid) => watchMemory(pid));
  const total = (measure: (pid: number) => number) => pids.reduce((sum, pid) => sum + measure(pid), 0);
  const processorBefore = total(processorMs);
  let files = 0;
  const counting = setInterval(() => {
    files = Math.max(files, total(openFiles));
  }, 500);
  const clients = await runClients(task);
  clearInterval(counting);
  const used = total(processorMs) - processorBefore;
  const memoryGrowth = grown.reduce((sum, growth) => sum + growth(), 0);
  const [pageTimes, callTimes] = [await page(), await call()];
  if (clients.failures.length > 0) {
    throw new Error(`${clients.failures.length} of ${task.clients} downloads failed: ${clients.failures[0]}`);
  }
  return { clients, processorMs: used, memoryGrowth, openFiles: files, pageTimes, callTimes };
}

/** Uploads a release that installs on an iPhone. @returns the address of its file, as the manifest has it, and its size */
async function installLink(bench: Bench, file: string): Promise<string> {
  const form = ["--form-string", `environmentId=${bench.environmentId}`, "--form-string", "description=To download"];
  const uploaded = await curl([
    ...["--header", `Authorization: Bearer ${bench.token}`, ...form, "--form", `file=@${file}`],
    `${bench.baseUrl}/api/apps/create-testing-deploy`,
  ]);
  if (uploaded.status !== 201) throw new Error(`the upload returned ${uploaded.status}`);
  const { items } = await bench.query(`apps/get-testing-deploys?environmentId=${bench.environmentId}&limit=1`);
  const link = await bench.command("apps/generate-apple-manifest-request-token", { id: items[0].id });
  const manifest = await (await fetch(link.manifestUrl)).text();
  const address = /<string>([^<]*part=ipa[^<]*)<\/string>/.exec(manifest)?.[1];
  if (!address) throw new Error(`the manifest names no file: ${manifest}`);
  return address.replaceAll("&amp;", "&");
}

function rate({ receivedBytes, milliseconds }: ClientsResult): number {
  return receivedBytes / 1e6 / (milliseconds / 1000);
}

const inMs = (value: number) => `${value.toFixed(0)} ms`;

/** Measures many simultaneous downloads of one file, in turns with nginx. */
async function compare(
  bench: Bench,
  options: { what: string; task: Omit<ClientsTask, "url">; ours: string; theirs: string; token: string },
  nginx: () => readonly number[],
): Promise<Row[]> {
  const { what, task, ours, theirs, token } = options;
  const runs: { ours: Run[]; theirs: Run[] } = { ours: [], theirs: [] };
  const delays: number[] = [];
  const before = residentBytes(bench.serverPid);
  for (let round = 0; round < ROUNDS; round++) {
    await metric(bench, token, "nodejs_eventloop_lag_p99_seconds");
    runs.ours.push(await run(bench, { ...task, url: ours }, [bench.serverPid]));
    delays.push(1000 * (await metric(bench, token, "nodejs_eventloop_lag_p99_seconds")));
    runs.theirs.push(await run(bench, { ...task, url: theirs }, nginx()));
  }
  const after = residentBytes(bench.serverPid);
  const both = <T>(measure: (all: Run[]) => T): [T, T] => [measure(runs.ours), measure(runs.theirs)];
  const times = (all: Run[]) => all.flatMap(({ clients }) => clients.times);
  const [speed, nginxSpeed] = both((all) => median(all.map(({ clients }) => rate(clients))));
  const [processor, nginxProcessor] = both((all) =>
    median(all.map((one) => one.processorMs / (one.clients.receivedBytes / 1e9))),
  );
  const [growth, nginxGrowth] = both((all) => Math.max(...all.map(({ memoryGrowth }) => memoryGrowth)));
  const [files] = both((all) => Math.max(...all.map((one) => one.openFiles)));
  const [middle, nginxMiddle] = both((all) => median(times(all)));
  const [slowest, nginxSlowest] = both((all) => quantile(times(all), 0.95));
  const answers = (name: string, pick: (one: Run) => number[]): Row => {
    const [our, their] = both((all) => quantile(all.flatMap(pick), 0.95));
    const asked = runs.ours.flatMap(pick);
    const failures = asked.filter((time) => time === Number.POSITIVE_INFINITY).length;
    return {
      what: `${what}: p95 of ${name}, asked every ${ASK_INTERVAL_MS} ms`,
      measured: `${inMs(our)}, ${failures} of ${asked.length} failed`,
      reference: `${inMs(their)} while nginx sends the file`,
      ratio: our / their,
      goal: `at most ${ANSWER_GOAL} ×, and none fails`,
      met: our / their <= ANSWER_GOAL && failures === 0,
    };
  };
  const row = (name: string, measured: string, reference: string | null, ratio: number | null): Row => ({
    ...{ what: `${what}: ${name}`, measured, reference, ratio },
    goal: "",
    met: null,
  });
  return [
    {
      ...row("throughput", `${speed.toFixed(0)} MB/s`, `${nginxSpeed.toFixed(0)} MB/s nginx`, speed / nginxSpeed),
      goal: `at least ${THROUGHPUT_GOAL}`,
      met: speed / nginxSpeed >= THROUGHPUT_GOAL,
    },
    row(
      "median and p95 of a download",
      `${seconds(middle)}, ${seconds(slowest)}`,
      `${seconds(nginxMiddle)}, ${seconds(nginxSlowest)} nginx`,
      slowest / nginxSlowest,
    ),
    row(
      "processor time for a gigabyte, with the page and the call",
      inMs(processor),
      `${inMs(nginxProcessor)} nginx`,
      processor / nginxProcessor,
    ),
    {
      ...row("server memory at its peak", `+${mebibytes(growth)}`, `+${mebibytes(nginxGrowth)} nginx`, null),
      goal: `at most +${mebibytes(MEMORY_GOAL_BYTES)}`,
      met: growth <= MEMORY_GOAL_BYTES,
    },
    row("server memory before and after", `${mebibytes(before)}, ${mebibytes(after)}`, null, null),
    row("open files of the server", String(files), null, null),
    row("p99 of the event loop's delay", inMs(Math.max(...delays)), null, null),
    answers("a page", ({ pageTimes }) => pageTimes),
    answers("a call", ({ callTimes }) => callTimes),
  ];
}

/** Measures how many bytes nginx sends in a second, which decides how much the clients are given to download. */
async function speedOf(nginx: Nginx, folder: string): Promise<number> {
  const file = join(folder, "probe.bin");
  await writeFile(file, Buffer.alloc(PROBE.bytes));
  try {
    const { receivedBytes, milliseconds } = await runClients({
      ...PROBE,
      url: `${nginx.url}/probe.bin`,
      bytesPerSecond: 0,
    });
    return receivedBytes / (milliseconds / 1000);
  } finally {
    await rm(file);
  }
}

/** Measures {@link CLIENTS} simultaneous downloads of one installer by its install link, while pages are used. */
export async function testerRows(_bench: Bench, { scale }: { scale: number }): Promise<Row[]> {
  if (NGINX_MISSING) return [notMeasured("simultaneous downloads", NGINX_MISSING)];
  const token = randomBytes(18).toString("base64url");
  const bench = await startBench({ METRICS_TOKEN: token });
  const file = join(bench.runDir, "testers.ipa");
  try {
    const nginx = await startNginx(join(bench.runDir, "nginx"), bench.runDir, 2);
    try {
      const bytesPerSecond = await speedOf(nginx, bench.runDir);
      const fillerBytes = Math.round(Math.min(MAX_FILE_BYTES, (bytesPerSecond * NGINX_SECONDS) / CLIENTS) * scale);
      await writeIpa(file, { identifier: bench.identifier, version: "3.0", build: "1", fillerBytes });
      const { size: bytes } = await stat(file);
      const ours = await installLink(bench, file);
      const theirs = `${nginx.url}/testers.ipa`;
      const slowly = Math.round(Math.min(MAX_BYTES_PER_SECOND, (bytesPerSecond * SLOW_SHARE) / CLIENTS));
      const rows: Row[] = [];
      const size = `${CLIENTS} downloads of ${(bytes / 1e6).toFixed(1)} MB`;
      for (const { what, bytesPerSecond } of [
        { what: `${size} at full speed`, bytesPerSecond: 0 },
        { what: `${size} at ${(slowly / 1e6).toFixed(1)} MB/s each`, bytesPerSecond: slowly },
      ]) {
        const task = { clients: CLIENTS, bytes, bytesPerSecond };
        rows.push(...(await compare(bench, { what, task, ours, theirs, token }, nginx.workers)));
      }
      return rows;
    } finally {
      await nginx.stop();
    }
  } finally {
    await rm(file, { force: true });
    await bench.stop();
  }
}
