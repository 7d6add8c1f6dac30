#!/usr/bin/env node
// Checks the workflows of .github/workflows with actionlint. It needs actionlint on the PATH, or Go to build it.
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { projectDir } from "./lib/files.mjs";
import { findGoTool, GO_TOOLS, MissingTool, succeeds } from "./lib/go-tools.mjs";

const WORKFLOWS = join(".github", "workflows");
try {
  const files = readdirSync(join(projectDir, WORKFLOWS)).map((name) => join(WORKFLOWS, name));
  if (!succeeds(findGoTool(GO_TOOLS.actionlint), files, projectDir)) process.exitCode = 1;
} catch (error) {
  if (!(error instanceof MissingTool)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
