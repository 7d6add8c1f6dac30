import { execFileSync, spawnSync } from "node:child_process";
import { randomInt } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { projectDir } from "../scripts/lib/files.mjs";
import { FAULTS, tortureFaults } from "./faults/faults.ts";
import { tortureInstallersInParallel } from "./installers/installers.ts";
import { type Row, toWords, withRows } from "./report.ts";
import { type Sample, soak } from "./soak.ts";
import { Configuration } from "./subjects/configuration.ts";
import { Distributions } from "./subjects/distributions.ts";
import { Keys } from "./subjects/keys.ts";
import { Releases } from "./subjects/releases.ts";
import { Webhooks } from "./subjects/webhooks.ts";
import { KILLED, type Killed, type Subject, torture } from "./torture.ts";

const USAGE = `usage: npm run torture -- [what…] [options]
  what       by default, everything, with the numbers of docs/reliability.md, whose table is written
    configuration keys releases webhooks distributions
                                  work while processes are killed
    installers                    reads mutated installers
    faults                        disk full, clock stepped, DNS gone, slow disk, a store that lies
    soak                          keeps a server at full load
  --kill     what is killed: server (by default), postgres or store
  --kills    how many processes are killed; by default, 20
  --minutes  no other round begins after this time; of a soak, how long it takes, by default 5
  --store    disk or s3; by default disk, and s3 if the store is killed
  --files    how many installers are read; by default, 1,000
  --seed     repeats the choices of an earlier run
  --small    everything with small numbers, which takes minutes
  --write    writes the results into the table of docs/reliability.md`;

const SUBJECTS: Record<string, () => Subject> = {
  configuration: () => new Configuration(),
  keys: () => new Keys(),
  releases: () => new Releases(),
  webhooks: () => new Webhooks(),
  distributions: () => new Distributions(),
};
const OTHERS = ["installers", "faults", "soak"];
const DOCUMENT = join(projectDir, "docs", "reliability.md");
const PROCESSES = 2;
const MIB = 1024 * 1024;

/** One run. */
interface Plan {
  what: string[];
  kill: Killed;
  store?: "disk" | "s3";
  kills: number;
  minutes?: number;
  files: number;
  seed: number;
}

type Result = Pick<Row, "what" | "ran" | "measured"> & { problems: string[]; seed: number | null };

async function killing({ what, kill, kills, store, minutes, seed }: Plan): Promise<Result> {
  const report = await torture({
    subjects: what.map((name) => (SUBJECTS[name] as () => Subject)()),
    kills,
    minutes,
    seed,
    kill,
    store,
    onProgress: (round, { figures }) => {
      if (process.stdout.isTTY || round % 10 === 0) console.log(`${round} kills`, JSON.stringify(figures));
    },
  });
  const killed = Object.values(report.kills).reduce((sum, count) => sum + count, 0);
  const name = { server: "the server", postgres: "PostgreSQL", store: "the S3 store" }[kill];
  const place = kill === "server" && store === "s3" ? ", files in S3" : "";
  return {
    what: `SIGKILL of ${name}: ${what.join(", ")}${place}`,
    ran: `${killed} kills`,
    measured: toWords(report.figures),
    problems: report.problems,
    seed,
  };
}

async function reading({ files, seed }: Plan): Promise<Result> {
  const report = await tortureInstallersInParallel({
    files,
    seed,
    processes: PROCESSES,
    onProgress: (read) => void (process.stdout.isTTY && console.log(`${read} installers`)),
  });
  const { inspected, refused, reasons, longest, peakMemory } = report;
  const measured = [
    toWords({ inspected, refused, "different reasons": reasons.length }),
    `at most ${(longest / 1000).toFixed(1)} s of processor time for one and ${Math.round(peakMemory / MIB)} MiB for a process`,
  ];
  return {
    what: "mutated installers",
    ran: `${report.files.toLocaleString("en-US")} files`,
    measured: measured.join("; "),
    problems: report.problems,
    seed,
  };
}

async function soaking({ minutes = 5, seed }: Plan): Promise<Result> {
  const report = await soak({
    minutes,
    seed,
    onProgress: (passed, sample) => {
      if (process.stdout.isTTY) console.log(`${passed.toFixed(1)} minutes`, JSON.stringify(sample));
    },
  });
  const { requests, uploads, downloads, pages, refused, limited, early, late } = report;
  const change = (key: keyof Sample, unit = 1) => `${Math.round(early[key] / unit)} → ${Math.round(late[key] / unit)}`;
  const used = [
    `${change("memory", MIB)} MiB of memory`,
    `${change("files")} open files`,
    `${change("sockets")} sockets`,
    `${change("threads")} threads`,
    `${change("connections")} database connections`,
  ];
  return {
    what: "soak at full load",
    ran: `${minutes} minutes`,
    measured: `${toWords({ requests, uploads, downloads, pages, "answered with 503": refused, "answered with 429": limited })}; second → last quarter: ${used.join(", ")}`,
    problems: report.problems,
    seed,
  };
}

async function breaking(): Promise<Result[]> {
  const reports = await tortureFaults(FAULTS, ({ name }) => console.log(`done: ${name}`));
  return reports.map(({ name, done, problems, skipped }) => ({
    what: name,
    ran: skipped ? "not run" : "1 run",
    measured: skipped ?? done,
    problems,
    seed: null,
  }));
}

/** The arguments of the command for a run. */
function argumentsOf({ what, kill, kills, store, minutes, files, seed }: Plan): string[] {
  const kinds = { kill, kills, store };
  const options = {
    ...(what.some((name) => name in SUBJECTS) && kinds),
    ...(what.includes("installers") && { files }),
    ...(!what.includes("installers") && !what.includes("faults") && { minutes }),
    ...(!what.includes("faults") && { seed }),
  };
  const given = Object.entries(options).filter(([, value]) => value !== undefined);
  return [...what, ...given.flatMap(([name, value]) => [`--${name}`, String(value)])];
}

/** Runs one of several in a process of its own, because the settings of a process are read once. */
function runInProcess(plan: Plan, writes: boolean): boolean {
  const program = [...process.execArgv, import.meta.filename];
  const args = [...program, ...argumentsOf(plan), ...(writes ? ["--write"] : [])];
  return spawnSync(process.execPath, args, { stdio: "inherit" }).status === 0;
}

async function run(plan: Plan): Promise<Result[]> {
  const { what } = plan;
  console.log(`npm run torture -- ${argumentsOf(plan).join(" ")}`);
  if (what.includes("installers")) return [await reading(plan)];
  if (what.includes("soak")) return [await soaking(plan)];
  if (what.includes("faults")) return breaking();
  return [await killing(plan)];
}

/** All runs. Those of one kind are one plan, because they share a deployment. */
function plansOf(what: readonly string[], options: Omit<Plan, "what">): Plan[] {
  const subjects = what.filter((name) => name in SUBJECTS);
  const others = what.filter((name) => OTHERS.includes(name));
  return [...(subjects.length > 0 ? [subjects] : []), ...others.map((name) => [name])].map((names) => ({
    ...options,
    what: names,
  }));
}

/** Everything, with the full numbers or small ones. */
function allPlans(seed: number, isSmall: boolean): Plan[] {
  const plan = { seed, files: isSmall ? 1_000 : 100_000 };
  const kills = (full: number) => (isSmall ? 3 : full);
  return [
    { ...plan, what: ["configuration", "keys", "releases"], kill: "server", kills: kills(200) },
    { ...plan, what: ["webhooks"], kill: "server", kills: kills(100) },
    { ...plan, what: ["distributions"], kill: "server", kills: kills(100) },
    { ...plan, what: ["releases"], kill: "server", store: "s3", kills: kills(50) },
    { ...plan, what: ["configuration", "releases"], kill: "postgres", kills: kills(50) },
    { ...plan, what: ["releases"], kill: "store", kills: kills(50) },
    { ...plan, what: ["installers"], kill: "server", kills: 0 },
    { ...plan, what: ["faults"], kill: "server", kills: 0 },
    { ...plan, what: ["soak"], kill: "server", kills: 0, minutes: isSmall ? 2 : 60 },
  ];
}

const git = (...args: string[]) => execFileSync("git", args, { cwd: projectDir, encoding: "utf8" }).trim();

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    kill: { type: "string", default: "server" },
    kills: { type: "string", default: "20" },
    minutes: { type: "string" },
    store: { type: "string" },
    files: { type: "string", default: "1000" },
    seed: { type: "string" },
    small: { type: "boolean", default: false },
    write: { type: "boolean", default: false },
    help: { type: "boolean", short: "h", default: false },
  },
});
const [kills, files] = [Number(values.kills), Number(values.files)];
const minutes = values.minutes === undefined ? undefined : Number(values.minutes);
const seed = Number(values.seed ?? randomInt(1, 2 ** 31));
const isUsable =
  positionals.every((name) => name in SUBJECTS || OTHERS.includes(name)) &&
  KILLED.includes(values.kill as Killed) &&
  (values.store === undefined || ["disk", "s3"].includes(values.store)) &&
  !(values.kill !== "server" && positionals.includes("keys")) &&
  kills > 0 &&
  files > 0 &&
  (minutes === undefined || minutes > 0) &&
  Number.isInteger(seed);
if (values.help || !isUsable) {
  console.log(USAGE);
  process.exit(values.help ? 0 : 2);
}
const everything = positionals.length === 0;
const plans = everything
  ? allPlans(seed, values.small)
  : plansOf(positionals, {
      kill: values.kill as Killed,
      store: values.store as Plan["store"],
      kills,
      minutes,
      files,
      seed,
    });

const writes = values.write || (everything && !values.small);
const [plan] = plans as [Plan];
if (plans.length > 1) {
  const failed = plans.filter((one) => !runInProcess(one, writes));
  for (const one of failed) console.log(`failed: npm run torture -- ${argumentsOf(one).join(" ")}`);
  console.log(
    failed.length === 0 ? `All ${plans.length} runs held.` : `${failed.length} of ${plans.length} runs failed.`,
  );
  process.exit(failed.length === 0 ? 0 : 1);
}

const begin = performance.now();
const results = await run(plan);
const rows = results.map(
  ({ problems, ...result }): Row => ({
    ...result,
    problem: problems[0] ?? null,
    minutes: Math.round((performance.now() - begin) / 60_000),
    commit: git("rev-parse", "--short", "HEAD"),
    date: new Date().toISOString().slice(0, 10),
  }),
);
console.log(JSON.stringify(rows, null, 2));
const problems = results.flatMap((result) => result.problems);
for (const problem of problems) console.log(problem);
if (writes) writeFileSync(DOCUMENT, withRows(readFileSync(DOCUMENT, "utf8"), rows));
console.log(problems.length === 0 ? "Every invariant held." : `${problems.length} problems`);
process.exit(problems.length === 0 ? 0 : 1);
