#!/usr/bin/env node
// Checks the scrape configuration and the alert rules of deploy/monitoring with promtool, and runs the tests of the rules.
// It needs promtool on the PATH, or Go to build it.
import { join } from "node:path";
import { projectDir } from "./lib/files.mjs";
import { findGoTool, GO_TOOLS, MissingTool, succeeds } from "./lib/go-tools.mjs";

const folder = join(projectDir, "deploy", "monitoring");
try {
  const promtool = findGoTool(GO_TOOLS.promtool);
  const passed = [
    ["check", "config", "--syntax-only", "prometheus.yml"],
    ["check", "rules", "--lint=all", "--lint-fatal", "alerts.yml"],
    ["test", "rules", "alerts.test.yml"],
  ].map((args) => succeeds(promtool, args, folder));
  if (passed.includes(false)) process.exitCode = 1;
} catch (error) {
  if (!(error instanceof MissingTool)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
