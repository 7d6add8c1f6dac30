#!/usr/bin/env node
// Runs on an old Node and without node_modules, like start.mjs: a fresh clone may begin here.
import { runProgram } from "./lib/program.mjs";

process.exitCode = await runProgram(async (signals) => {
  const { runTests } = await import("./lib/test-run.mjs");
  return runTests(process.argv.slice(2), signals);
});
