import { delimiter, dirname, join } from "node:path";
import { Interrupted, watchSignals } from "./children.mjs";
import { StepError, step } from "./console.mjs";
import { projectDir } from "./files.mjs";
import { readMinimumNode } from "./node-version.mjs";
import { checkPackages, installPackages } from "./packages.mjs";
import { withLock } from "./processes.mjs";
import { runUnderOwnNode } from "./runtime.mjs";

/** An installation on a slow machine, which another program of the project waits for. */
const INSTALLATION_TIMEOUT_MS = 15 * 60_000;

/**
 * Runs one of the project's commands on any version of Node: installs the packages if they are missing or stale, and switches
 * to the project's own Node if the current one is too old. This file and everything it imports must therefore run on old
 * versions of Node and without packages.
 *
 * @param {(signals: import("./children.mjs").SignalWatch) => Promise<number>} command returns the exit code; imports modules that need packages dynamically
 * @param {{ keepsPackages?: () => Promise<boolean> }} [options] `keepsPackages`: whether stale packages are used as they are
 * @returns {Promise<number>} the exit code
 */
export async function runProgram(command, { keepsPackages = async () => false } = {}) {
  const signals = watchSignals();
  try {
    const minimumNode = readMinimumNode();
    if (checkPackages() && !(await keepsPackages())) {
      // Two installations at a time would delete each other's files. The second program finds what the first one has installed.
      const install = async () => {
        const reason = checkPackages();
        if (!reason) return;
        await step("Packages", async (report) => {
          await installPackages(minimumNode);
          report(`installed, since ${reason}`);
        });
      };
      await withLock(join(projectDir, ".installation.lock"), install, INSTALLATION_TIMEOUT_MS);
      signals.throwIfInterrupted();
    }
    const code = await runUnderOwnNode(minimumNode, signals);
    if (code !== undefined) return code;
    // Programs started from here on find this Node first, then the programs of the packages.
    const folders = [dirname(process.execPath), join(projectDir, "node_modules", ".bin"), process.env.PATH];
    process.env.PATH = folders.join(delimiter);
    return await command(signals);
  } catch (error) {
    const known = error instanceof StepError || (error instanceof Error && error.name === "PostgresError");
    if (signals.received || error instanceof Interrupted) console.error("\nInterrupted.");
    else console.error(known ? `\n${/** @type {Error} */ (error).message}` : error);
    return signals.received ? 130 : 1;
  }
}
