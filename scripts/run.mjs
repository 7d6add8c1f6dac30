#!/usr/bin/env node
// Runs a maintenance command: node scripts/run.mjs <name> [arguments]
// Like start.mjs, it runs on old versions of Node and without node_modules: a restore is the first command on a new machine.
import { spawn } from "node:child_process";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { track } from "./lib/children.mjs";
import { printStepsToStderr } from "./lib/console.mjs";
import { projectDir } from "./lib/files.mjs";
import { isAtLeast } from "./lib/node-version.mjs";
import { runProgram } from "./lib/program.mjs";

const [name, ...args] = process.argv.slice(2);

/** A new installation begins by deleting the programs that a running console uses. */
async function isConsoleRunning() {
  // Older ones cannot read .env, which may name the data folder.
  if (!isAtLeast(process.version, "20.12")) return false;
  const { loadEnvFile, resolveDataDir } = await import("./lib/data-dir.mjs");
  const { findConsole } = await import("./lib/running-console.mjs");
  loadEnvFile();
  return findConsole(resolveDataDir(process.env)) !== undefined;
}

// Standard output is what the command answers.
printStepsToStderr();
process.exitCode = await runProgram(
  async (signals) => {
    const { generateClient } = await import("./lib/database-client.mjs");
    await generateClient(() => {});
    signals.throwIfInterrupted();
    const loader = pathToFileURL(join(projectDir, "node_modules", "tsx", "dist", "loader.mjs"));
    const script = join(projectDir, "scripts", `${name}.ts`);
    const program = [`--import=${loader}`, "--conditions=react-server", script, ...args];
    const child = track(spawn(process.execPath, program, { stdio: "inherit" }));
    signals.onRepeat = () => child.kill("SIGKILL");
    return new Promise((resolve, reject) => {
      child.once("error", reject);
      child.once("exit", (code, signal) => resolve(code ?? (signal === "SIGINT" || signal === "SIGTERM" ? 130 : 1)));
    });
  },
  { keepsPackages: isConsoleRunning },
);
