import { spawn } from "node:child_process";
import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { track } from "./children.mjs";
import { StepError, step } from "./console.mjs";
import { projectDir } from "./files.mjs";
import { isAtLeast } from "./node-version.mjs";
import { buildOwnNode } from "./packages.mjs";

/** The Node that the npm package `node` brings. */
const ownNode = join(projectDir, "node_modules", "node", "bin", process.platform === "win32" ? "node.exe" : "node");

/**
 * Runs the present script again under the project's own Node when the present one is too old.
 *
 * @param {string} minimum as in {@link isAtLeast}
 * @param {import("./children.mjs").SignalWatch} signals
 * @returns {Promise<number | undefined>} the exit code of that run; undefined when the present Node will do
 * @throws {StepError} when there is no such Node
 */
export async function runUnderOwnNode(minimum, signals) {
  if (isAtLeast(process.version, minimum)) return undefined;
  if (!hasOwnNode()) {
    await step("Node", async (tell) => {
      await buildOwnNode(process.execPath);
      tell(`a newer one is installed in the project, since this is ${process.version}`);
    });
  }
  if (!hasOwnNode()) {
    throw new StepError(
      `Slipway needs Node ${minimum} or newer, this is ${process.version}, and the npm package that brings one is not whole. Install a newer Node.`,
    );
  }
  const child = track(spawn(ownNode, process.argv.slice(1), { stdio: "inherit" }));
  signals.again = () => child.kill("SIGINT");
  return new Promise((answer, fail) => {
    child.once("error", fail);
    child.once("exit", (code, signal) => answer(code ?? (signal ? 1 : 0)));
  });
}

/** Without its install script the package comes with a placeholder or nothing. */
function hasOwnNode() {
  return existsSync(ownNode) && statSync(ownNode).size > 1_000_000;
}
