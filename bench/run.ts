import { mkdirSync, writeFileSync } from "node:fs";
import { cpus, loadavg } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { projectDir } from "../scripts/lib/files.mjs";
import { type Bench, startBench } from "./bench.ts";
import { failed, missedFirst, type Row, toTable } from "./report.ts";
import { configurationRows } from "./rows/configuration.ts";
import { countingRows } from "./rows/counting.ts";
import { distributionRows } from "./rows/distribution.ts";
import { downloadRows } from "./rows/download.ts";
import { firstLoadRows } from "./rows/first-load.ts";
import { inspectRows } from "./rows/inspect.ts";
import { listRows } from "./rows/lists.ts";
import { paintRows } from "./rows/paint.ts";
import { requestRows } from "./rows/requests.ts";
import { rotationRows } from "./rows/rotation.ts";
import { s3Rows } from "./rows/s3.ts";
import { shareLinkRows } from "./rows/share-links.ts";
import { signInRows } from "./rows/sign-in.ts";
import { startRows } from "./rows/start.ts";
import { statisticsRows } from "./rows/statistics.ts";
import { testerRows } from "./rows/testers.ts";
import { toolRows } from "./rows/tool.ts";
import { uploadRows } from "./rows/upload.ts";

const USAGE = `usage: npm run bench -- [names…] [--full | --small]
  names    upload download counting testers tool s3 inspect requests lists statistics configuration rotation first-load paint share-links distribution
           sign-in start; by default, all
  --full   lists at 1,000,000 releases, 10,000,000 downloads, 100,000 users, 10,000,000 audit records and 1,000,000
           configuration versions instead of a tenth
  --small  files and lists at a fiftieth of their size, to test the benchmarks themselves

A whole run writes bench/results/latest.json; one with names or --small writes part.json beside it.`;

const FULL = { releases: 1_000_000, downloads: 10_000_000, users: 100_000, auditRecords: 10_000_000 };
/** The time limit of a group. At full size, filling the tables takes minutes. */
const GROUP_TIMEOUT_MS = 15 * 60_000;
const FULL_GROUP_TIMEOUT_MS = 30 * 60_000;

/** Returns the sizes of files and tables. */
function sizes({ full, small }: { full?: boolean; small?: boolean }) {
  const part = full ? 1 : small ? 1 / 50 : 1 / 10;
  const amounts = {
    releases: FULL.releases * part,
    downloads: FULL.downloads * part,
    users: FULL.users * part,
    auditRecords: FULL.auditRecords * part,
  };
  return {
    scale: small ? 1 / 50 : 1,
    amounts,
    configuration: { variables: small ? 200 : 10_000, versions: 1_000_000 * part },
    deepPage: 10_000,
    groupTimeoutMs: full ? FULL_GROUP_TIMEOUT_MS : GROUP_TIMEOUT_MS,
  };
}

type Sizes = ReturnType<typeof sizes>;

const GROUPS: Record<string, (bench: Bench, sizes: Sizes) => Promise<Row[]>> = {
  upload: uploadRows,
  download: downloadRows,
  counting: countingRows,
  testers: testerRows,
  tool: toolRows,
  s3: s3Rows,
  inspect: inspectRows,
  requests: requestRows,
  lists: listRows,
  statistics: statisticsRows,
  configuration: configurationRows,
  rotation: rotationRows,
  "first-load": firstLoadRows,
  paint: paintRows,
  "share-links": shareLinkRows,
  distribution: distributionRows,
  "sign-in": signInRows,
  start: startRows,
};

/** Runs a group and returns its rows; one row with the error if it fails or times out. */
async function rowsOf(name: string, bench: Bench, sizes: Sizes): Promise<Row[]> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    const { groupTimeoutMs } = sizes;
    const error = new Error(`did not finish within ${groupTimeoutMs / 60_000} minutes`);
    timer = setTimeout(() => reject(error), groupTimeoutMs);
  });
  try {
    return await Promise.race([(GROUPS[name] as (typeof GROUPS)[string])(bench, sizes), timeout]);
  } catch (error) {
    console.error(error);
    return [failed(name, error)];
  } finally {
    clearTimeout(timer);
  }
}

/** The command line. @throws TypeError for an unknown option; Error for an unknown name */
function readArguments() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { full: { type: "boolean" }, small: { type: "boolean" }, help: { type: "boolean", short: "h" } },
  });
  const unknown = positionals.filter((name) => !(name in GROUPS));
  if (unknown.length > 0) throw new Error(`unknown: ${unknown.join(", ")}`);
  return { values, positionals };
}

/** Runs all benchmarks, or those named on the command line. @returns the exit code */
async function main(): Promise<number> {
  let given: ReturnType<typeof readArguments>;
  try {
    given = readArguments();
  } catch (error) {
    console.error(`${(error as Error).message}\n\n${USAGE}`);
    return 2;
  }
  const { values, positionals } = given;
  if (values.help) {
    console.log(USAGE);
    return 0;
  }
  const names = positionals.length > 0 ? positionals : Object.keys(GROUPS);
  const load = () => loadavg()[0]?.toFixed(1);
  const loads = [load()];
  const rows: Row[] = [];
  const bench = await startBench();
  try {
    for (const name of names) {
      const begun = performance.now();
      rows.push(...(await rowsOf(name, bench, sizes(values))));
      loads.push(load());
      console.error(`${name}: ${((performance.now() - begun) / 1000).toFixed(0)} s`);
    }
  } finally {
    await bench.stop();
  }
  const machine = `Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model}, load ${loads.join(" ")}`;
  const missed = rows.filter(({ met }) => met === false).length;
  const judged = rows.filter(({ met }) => met !== null).length;
  console.log(`\n${machine}\n\n${missed} of ${judged} goals missed\n\n${toTable(missedFirst(rows))}`);
  const folder = join(projectDir, "bench", "results");
  mkdirSync(folder, { recursive: true });
  // Some of the groups, or smaller ones, do not replace the results of a whole run.
  const isWhole = positionals.length === 0 && !values.small;
  writeFileSync(join(folder, isWhole ? "latest.json" : "part.json"), `${JSON.stringify({ machine, rows }, null, 2)}\n`);
  return 0;
}

for (const signal of ["SIGINT", "SIGTERM"] as const) {
  // The servers of the benchmark are stopped by their exit listeners.
  process.once(signal, () => process.exit(130));
}
process.exitCode = await main();
// A group that timed out may still be running.
process.exit();
