import { delimiter, dirname, join } from "node:path";
import { Interrupted, watchSignals } from "./children.mjs";
import { StepError, step } from "./console.mjs";
import { projectDir } from "./files.mjs";
import { readMinimumNode } from "./node-version.mjs";
import { checkPackages, installPackages } from "./packages.mjs";
import { runUnderOwnNode } from "./runtime.mjs";

/**
 * Runs one of the project's commands on any version of Node: installs the packages if they are missing or stale, and switches
 * to the project's own Node if the current one is too old. This file and everything it imports must therefore run on old
 * versions of Node and without packages.
 *
 * @param {(signals: import("./children.mjs").SignalWatch) => Promise<number>} command returns the exit code; imports modules that need packages dynamically
 * @returns {Promise<number>} the exit code
 */
export async function runProgram(command) {
  const signals = watchSignals();
  try {
    const minimumNode = readMinimumNode();
    const reason = checkPackages();
    if (reason) {
      await step("Packages", async (report) => {
        await installPackages(minimumNode);
        report(`installed, since ${reason}`);
      });
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
