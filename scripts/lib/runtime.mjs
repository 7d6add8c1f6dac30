import { spawn } from "node:child_process";
import { existsSync, statSync } from "node:fs";
import { track } from "./children.mjs";
import { keepStartTime, StepError, step } from "./console.mjs";
import { isAtLeast } from "./node-version.mjs";
import { installOwnNode, ownNode } from "./packages.mjs";

/**
 * Runs the current script again under the project's own Node if the current Node is too old.
 *
 * @param {string} minimum as in {@link isAtLeast}
 * @param {import("./children.mjs").SignalWatch} signals
 * @returns {Promise<number | undefined>} the exit code of that run; undefined if the current Node is new enough
 * @throws {StepError} if the project's own Node is missing
 */
export async function runUnderOwnNode(minimum, signals) {
  if (isAtLeast(process.version, minimum)) return undefined;
  if (!hasOwnNode()) {
    await step("Node", async (report) => {
      await installOwnNode();
      report(`a newer one is installed in the project, since this is ${process.version}`);
    });
  }
  if (!hasOwnNode()) {
    throw new StepError(
      `Slipway needs Node ${minimum} or newer, this is ${process.version}, and the npm package with a newer one is incomplete. Install a newer Node.`,
    );
  }
  keepStartTime();
  const child = track(spawn(ownNode, process.argv.slice(1), { stdio: "inherit" }));
  signals.onRepeat = () => child.kill("SIGINT");
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code, signal) => resolve(code ?? (signal ? 1 : 0)));
  });
}

/** Without its install script, the package contains a placeholder or nothing. */
function hasOwnNode() {
  return existsSync(ownNode) && statSync(ownNode).size > 1_000_000;
}
