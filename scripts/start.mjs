#!/usr/bin/env node
// Runs on old versions of Node and without node_modules, since this is the first command in a fresh clone.
// package.json runs it with `exec`, so that npm sends signals to it and not to a shell that does not forward them. Windows has no
// `exec`; exec.cmd stands in for it. The arguments after `npm start --` follow the last command of the script.
import { runProgram } from "./lib/program.mjs";

process.exitCode = await runProgram(async (signals) => {
  const { readOptions, serve } = await import("./lib/serve.mjs");
  return serve(readOptions(process.argv.slice(2)), signals);
});
