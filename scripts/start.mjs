#!/usr/bin/env node
// Runs on an old Node and without node_modules: a fresh clone begins here.
// package.json calls it by `exec`, so that npm talks to it and not to a shell that keeps signals to itself; what follows
// the `||` there is for Windows, which knows no `exec`.
import { runProgram } from "./lib/program.mjs";

process.exitCode = await runProgram(async (signals) => {
  const { serve } = await import("./lib/serve.mjs");
  return serve(process.argv.includes("--dev") ? "dev" : "start", signals);
});
