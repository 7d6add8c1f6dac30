#!/usr/bin/env node
import { runProgram } from "./lib/program.mjs";

process.exitCode = await runProgram(async (signals) => {
  const { step } = await import("./lib/console.mjs");
  const { buildServer, generateClient } = await import("./lib/build.mjs");
  const { resolveDataDir } = await import("./lib/data-dir.mjs");
  await step("Client", generateClient);
  signals.throwIfTold();
  await step("Build", (tell) => buildServer(resolveDataDir(process.env), tell));
  return 0;
});
