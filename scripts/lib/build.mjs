import { cpSync, existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { runQuietly } from "./children.mjs";
import { StepError } from "./console.mjs";
import { projectDir } from "./files.mjs";
import { compareWithStamp } from "./fingerprint.mjs";

const schemaFile = join(projectDir, "prisma", "schema.prisma");
const clientDir = join(projectDir, "lib", "db", "generated");
const nextDir = join(projectDir, ".next");
const standaloneDir = join(nextDir, "standalone");

/** The server that a build makes. */
export const serverFile = join(standaloneDir, "server.js");

/**
 * How Node is to run it, as in the Dockerfile: the bytes of uploads count towards V8's young generation, and with its usual
 * 16 MiB they are collected so late that each gigabyte costs three times the processor's time.
 */
export const serverOptions = ["--max-semi-space-size=8"];

/** Folders in the project that are no part of the build. */
const otherFolders = new Set([
  "node_modules",
  "lib/db/generated",
  "scripts",
  "e2e",
  "bench",
  "cli",
  "docs",
  "coverage",
  "test-results",
  "playwright-report",
]);
/** Files at the top of the project that are no part of the build; Next itself writes the first. */
const otherFiles = new Set(["next-env.d.ts", "biome.json", "prisma.config.ts", "vitest.config.ts", "knip.json"]);

/**
 * Says of each file whether the build depends on it. What is unknown counts as a part: a build too many is better than a
 * stale one.
 *
 * @param {string} path relative to the project, with "/", and with a "/" at the end of a folder
 * @param {string} dataPath the data folder, likewise; "" when it lies elsewhere
 * @returns {boolean}
 */
export function isBuildSource(path, dataPath) {
  if (path.startsWith(".") || path === dataPath) return false;
  if (path.endsWith("/")) return !otherFolders.has(path.slice(0, -1));
  return !otherFiles.has(path) && !/(\.test\.tsx?|\.sample\.ts|\.md|\.tsbuildinfo|\.log)$/.test(path);
}

/** @param {string} name */
function readVersion(name) {
  return JSON.parse(readFileSync(join(projectDir, "node_modules", name, "package.json"), "utf8")).version;
}

/**
 * Makes the database client from the schema when that has changed.
 *
 * @param {(detail: string) => void} tell
 */
export async function generateClient(tell) {
  const { fresh, stamp } = compareWithStamp(join(clientDir, "schema.stamp.json"), {
    root: join(projectDir, "prisma"),
    includes: (path) => path === "schema.prisma",
    extra: [readVersion("prisma")],
  });
  if (fresh && existsSync(clientDir)) {
    tell("up to date");
    return;
  }
  await runQuietly(
    "prisma generate",
    process.execPath,
    [join(projectDir, "node_modules", "prisma", "build", "index.js"), "generate", "--schema", schemaFile],
    { cwd: projectDir, env: { ...process.env, PRISMA_HIDE_UPDATE_MESSAGE: "1" } },
  );
  stamp();
  tell("generated");
}

/**
 * @param {string[]} names what lies at the top of a built server
 * @param {string} dataPath the data folder as in {@link isBuildSource}
 * @returns {string[]} what should not be there: hidden files, and the data folder
 */
export function findStrays(names, dataPath) {
  const dataName = dataPath.split("/")[0];
  return names.filter((name) => name !== ".next" && (name.startsWith(".") || name === dataName));
}

/**
 * Builds the server when a source has changed, complete with its static files.
 *
 * @param {string} dataDir absolute
 * @param {(detail: string) => void} tell
 */
export async function buildServer(dataDir, tell) {
  const dataPath = `${relative(projectDir, dataDir).split(sep).join("/")}/`;
  const stampFile = join(nextDir, "slipway-build.json");
  const publicSettings = Object.entries(process.env).filter(([name]) => name.startsWith("NEXT_PUBLIC_"));
  const { fresh, stamp } = compareWithStamp(stampFile, {
    root: projectDir,
    includes: (path) => isBuildSource(path, dataPath),
    extra: publicSettings.map(([name, value]) => `${name}=${value}`).sort(),
  });
  if (fresh && existsSync(serverFile)) {
    tell("up to date");
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
  if (!existsSync(serverFile)) throw new StepError(`next build made no ${serverFile}.`);
  cpSync(join(nextDir, "static"), join(standaloneDir, ".next", "static"), { recursive: true });
  if (existsSync(join(projectDir, "public"))) {
    cpSync(join(projectDir, "public"), join(standaloneDir, "public"), { recursive: true });
  }
  // Next copies .env files with their secrets; the server gets its settings from its environment.
  for (const name of readdirSync(standaloneDir)) {
    if (name.startsWith(".env")) rmSync(join(standaloneDir, name));
  }
  const strays = findStrays(readdirSync(standaloneDir), dataPath);
  if (strays.length > 0) {
    rmSync(standaloneDir, { recursive: true });
    throw new StepError(
      `next build copied ${strays.join(", ")} into the server: some code opens a file by a path that Next cannot follow, so that it takes the whole project with its data and keys. Its output names the place ("causes tracing of the whole project"); mark it there with /*turbopackIgnore: true*/.`,
    );
  }
  stamp();
  tell("built");
}
