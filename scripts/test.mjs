#!/usr/bin/env node
// Runs on old versions of Node and without node_modules, like start.mjs.
import { runProgram } from "./lib/program.mjs";

process.exitCode = await runProgram(async (signals) => {
  const { runTests } = await import("./lib/test-run.mjs");
  return runTests(process.argv.slice(2), signals);
});
