import { cpSync, existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { pathToFileURL } from "node:url";
import { runQuietly } from "./children.mjs";
import { writeCliFiles } from "./cli.mjs";
import { StepError } from "./console.mjs";
import { projectDir } from "./files.mjs";
import { compareWithStamp } from "./fingerprint.mjs";
import { precompress } from "./precompress.mjs";
import { bundleServiceWorker, bundleTesterPrograms } from "./service-worker.mjs";

const nextDir = join(projectDir, ".next");
const standaloneDir = join(nextDir, "standalone");

/** The entry point of the built server. */
export const serverFile = join(standaloneDir, "server.mjs");

/**
 * Node options of the built server; the Dockerfile has the same.
 * - The bytes of uploads count towards V8's young generation. With semi-spaces of the default 16 MiB they are collected so late that
 *   an upload takes three times the CPU time.
 * - V8 lets the old generation grow to up to four times what was in use before it collects it. A thousand downloads then need 500
 *   MiB, of which 150 MiB are in use. It is collected at 128 MiB, and from then on at one and a half times what was in use.
 */
export const serverOptions = [
  "--max-semi-space-size=8",
  "--initial-old-space-size=128",
  "--heap-growing-percent=50",
  `--import=${pathToFileURL(join(projectDir, "scripts", "lib", "json-output.mjs"))}`,
];

/** What the build depends on, in the project folder. */
const sources = new Set([
  "app/",
  "cli/",
  "components/",
  "docs/",
  "integrations/",
  "lib/",
  "messages/",
  "packages/",
  "prisma/",
  "public/",
  "instrumentation.ts",
  "next.config.ts",
  "package-lock.json",
  "package.json",
  "postcss.config.mjs",
  "proxy.ts",
  "raw-files.d.ts",
  "server.mjs",
  "tsconfig.json",
]);
/** The scripts that make the build, with their folders. */
const buildScripts = new Set([
  "scripts/",
  "scripts/lib/",
  ...["build.mjs", "cli.mjs", "precompress.mjs", "service-worker.mjs", "terminal-qr.mjs"].map(
    (name) => `scripts/lib/${name}`,
  ),
]);
/** Folders of the sources that the build does not depend on. */
const excludedFolders = new Set([
  "lib/db/generated/",
  // The files of the development server.
  "public/cli/",
  "lib/testing/",
  "docs/decisions/",
]);

/**
 * Checks whether the build depends on a file or folder. In the project folder, only known ones count: a file that somebody left there
 * must not cost a build.
 *
 * @param {string} path relative to the project, with "/" as separator and at the end of a folder
 * @param {string} dataPath the data folder in the same form; "" if it is outside the project
 * @returns {boolean}
 */
export function isBuildSource(path, dataPath) {
  if (buildScripts.has(path)) return true;
  const [first = "", ...rest] = path.split(/(?<=\/)/);
  if (!sources.has(first)) return false;
  if (path === dataPath || excludedFolders.has(path)) return false;
  if (rest.some((name) => name.startsWith(".") || name === "node_modules/")) return false;
  // The console serves pages of docs/.
  if (first !== "docs/" && path.endsWith(".md")) return false;
  return !/(\.test\.tsx?|\.sample\.ts|\.tsbuildinfo|\.log)$/.test(path);
}

/**
 * Finds hidden files, the data folder and the lock file, which is there if the whole project is, in a built server.
 *
 * @param {string[]} names the entries of the server's folder
 * @param {string} dataPath the data folder as in {@link isBuildSource}
 * @returns {string[]} the entries that must not be there
 */
export function findStrays(names, dataPath) {
  const dataName = dataPath.split("/")[0];
  const isStray = (/** @type {string} */ name) =>
    name.startsWith(".") || name === dataName || name === "package-lock.json";
  return names.filter((name) => name !== ".next" && isStray(name));
}

/**
 * Builds the server with its static files if a source has changed.
 *
 * @param {string} dataDir absolute
 * @param {(detail: string) => void} report
 */
export async function buildServer(dataDir, report) {
  const dataPath = `${relative(projectDir, dataDir).split(sep).join("/")}/`;
  const stampFile = join(nextDir, "slipway-build.json");
  const publicSettings = Object.entries(process.env).filter(([name]) => name.startsWith("NEXT_PUBLIC_"));
  const { fresh, stamp } = compareWithStamp(stampFile, {
    root: projectDir,
    includes: (path) => isBuildSource(path, dataPath),
    extra: publicSettings.map(([name, value]) => `${name}=${value}`).sort(),
  });
  if (fresh && existsSync(serverFile)) {
    report("up to date");
    return;
  }
  rmSync(stampFile, { force: true });
  rmSync(standaloneDir, { recursive: true, force: true });
  await runQuietly(
    "next build",
    process.execPath,
    [join(projectDir, "node_modules", "next", "dist", "bin", "next"), "build"],
    { cwd: projectDir, env: { ...process.env, NODE_ENV: "production", NEXT_TELEMETRY_DISABLED: "1" } },
  );
  const nextServerFile = join(standaloneDir, "server.js");
  if (!existsSync(nextServerFile)) throw new StepError(`next build did not create ${nextServerFile}.`);
  rmSync(nextServerFile);
  cpSync(join(projectDir, "server.mjs"), serverFile);
  cpSync(join(nextDir, "static"), join(standaloneDir, ".next", "static"), { recursive: true });
  if (existsSync(join(projectDir, "public"))) {
    cpSync(join(projectDir, "public"), join(standaloneDir, "public"), { recursive: true });
  }
  const buildId = readFileSync(join(nextDir, "BUILD_ID"), "utf8").trim();
  const publicDir = join(standaloneDir, "public");
  await Promise.all([
    precompress(join(standaloneDir, ".next", "static")),
    Promise.all([
      bundleServiceWorker(join(publicDir, "sw.js"), buildId),
      bundleTesterPrograms(publicDir),
      writeCliFiles(join(publicDir, "cli")),
    ]).then(() => precompress(publicDir)),
  ]);
  // Next copies .env files with their secrets; the server gets its settings from its environment.
  for (const name of readdirSync(standaloneDir)) {
    if (name.startsWith(".env")) rmSync(join(standaloneDir, name));
  }
  const strays = findStrays(readdirSync(standaloneDir), dataPath);
  if (strays.length > 0) {
    rmSync(standaloneDir, { recursive: true });
    throw new StepError(
      `next build copied ${strays.join(", ")} into the server: some code opens a file by a path that Next cannot resolve, so Next copies the whole project with its data and keys. "npx next build" names the place ("causes tracing of the whole project"). Add /*turbopackIgnore: true*/ to the call that it names, not to a path.join() before it: Next then knows nothing of the path, and copies the project.`,
    );
  }
  stamp();
  report("built");
}
