import { delimiter, dirname, join } from "node:path";
import { Interrupted, watchSignals } from "./children.mjs";
import { StepError, step } from "./console.mjs";
import { projectDir } from "./files.mjs";
import { readMinimumNode } from "./node-version.mjs";
import { checkPackages, installPackages } from "./packages.mjs";
import { runUnderOwnNode } from "./runtime.mjs";

/**
 * Runs one of the project's commands on any machine with a Node: installs the packages when they are missing or stale, and
 * goes over to the project's own Node when the present one is too old. This file and all that it imports must therefore run
 * on old versions of Node and without packages.
 *
 * @param {(signals: import("./children.mjs").SignalWatch) => Promise<number>} command gives the exit code; imports what needs packages itself
 * @returns {Promise<number>} the exit code
 */
export async function runProgram(command) {
  const signals = watchSignals();
  try {
    const minimumNode = readMinimumNode();
    const reason = checkPackages();
    if (reason) {
      await step("Packages", async (tell) => {
        await installPackages(minimumNode);
        tell(`installed, since ${reason}`);
      });
      signals.throwIfTold();
    }
    const code = await runUnderOwnNode(minimumNode, signals);
    if (code !== undefined) return code;
    // What is started from here on finds this very Node first, and then the packages' programs.
    const folders = [dirname(process.execPath), join(projectDir, "node_modules", ".bin"), process.env.PATH];
    process.env.PATH = folders.join(delimiter);
    return await command(signals);
  } catch (error) {
    const known = error instanceof StepError || (error instanceof Error && error.name === "PostgresError");
    if (signals.told || error instanceof Interrupted) console.error("\nBroken off.");
    else console.error(known ? `\n${/** @type {Error} */ (error).message}` : error);
    return signals.told ? 130 : 1;
  }
}
