import { readFileSync } from "node:fs";
import { join } from "node:path";
import { listProjectFiles, projectDir } from "./files.mjs";
import { importsOf } from "./structure.mjs";
import { isSlow } from "./witnesses.mjs";

/**
 * @typedef {"pure" | "shared" | "process" | "machine" | "slow"} TestProject
 *
 * @typedef {object} TestFile
 * @property {string} file relative to the project
 * @property {string} text
 * @property {ReadonlySet<string>} imports all files of the project that it loads, itself included
 */

/** What a file does to the process that it runs in. */
const OWNS_PROCESS =
  /\bvi\.(mock|doMock|hoisted|useFakeTimers|setSystemTime|stubGlobal|stubEnv|resetModules)\b|\bprocess\.(chdir|exit|umask|on|once|title)\b|\bnode:(worker_threads|cluster)\b/;
/** What a file reads of its process or shares with others. */
const USES_PROCESS =
  /\bvi\.spyOn\b|\bprocess\.(env|stdout|stderr|stdin|argv|emit)\b|\bglobalThis\b|\bnode:(child_process|http|https|net|tls|dns)\b/;
/** Modules that keep something, or read the settings. */
const HAS_STATE =
  /^lib\/(db\/client|testing\/|storage\/testing\/|jobs|server|kernel\/(env|log|reporting))|^scripts\/(postgres|test-database)|^testing\//;
/** Files whose tests take ports, or start and kill servers that other files look for. */
const MACHINE = new Set(["scripts/postgres.test.ts", "scripts/lib/ports.test.ts"]);

/**
 * The project that runs a test file. It follows from what the file does and loads, so that a file cannot be in a project that
 * is too weak for it:
 * - `slow`: `npm run test:slow` runs it.
 * - `machine`: one file after the other, after all other projects.
 * - `process`: each file in a process of its own.
 * - `shared`: files that share processes. Each file loads the project's modules again.
 * - `pure`: files that keep nothing in their process. They share threads and the modules that these have loaded.
 *
 * @param {TestFile} testFile
 * @returns {TestProject}
 */
export function projectOf({ file, text, imports }) {
  if (isSlow(file)) return "slow";
  if (MACHINE.has(file)) return "machine";
  if (OWNS_PROCESS.test(text)) return "process";
  const isPure = !USES_PROCESS.test(text) && ![...imports].some((path) => HAS_STATE.test(path));
  return isPure ? "pure" : "shared";
}

/**
 * Sorts the test files of Vitest by project.
 *
 * @returns {Record<TestProject, string[]>}
 */
export function testProjects() {
  const known = new Set(listProjectFiles().filter((file) => /\.(tsx?|m[jt]s)$/.test(file)));
  /** @param {string} path */
  const resolve = (path) =>
    ["", ".ts", ".tsx", ".mts", "/index.ts", "/index.tsx", "/src/index.ts"]
      .map((ending) => path + ending)
      .find((file) => known.has(file));
  /** @type {Map<string, { text: string, imports: string[] }>} */
  const sources = new Map();
  const sourceOf = (/** @type {string} */ file) => {
    const old = sources.get(file);
    if (old) return old;
    const text = readFileSync(join(projectDir, file), "utf8");
    const imports = importsOf(file, text, resolve).filter(({ typeOnly }) => !typeOnly);
    const source = { text, imports: imports.map(({ to }) => to) };
    sources.set(file, source);
    return source;
  };
  const loadedBy = (/** @type {string} */ file) => {
    const loaded = new Set([file]);
    for (const one of loaded) for (const next of sourceOf(one).imports) loaded.add(next);
    return loaded;
  };
  /** @type {Record<TestProject, string[]>} */
  const projects = { pure: [], shared: [], process: [], machine: [], slow: [] };
  for (const file of known) {
    if (!/\.test\.tsx?$/.test(file) || file.startsWith("e2e/")) continue;
    projects[projectOf({ file, text: sourceOf(file).text, imports: loadedBy(file) })].push(file);
  }
  return projects;
}
