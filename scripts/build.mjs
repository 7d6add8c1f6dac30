#!/usr/bin/env node
import { dirname, join } from "node:path";
import { runProgram } from "./lib/program.mjs";

process.exitCode = await runProgram(async (signals) => {
  const { step } = await import("./lib/console.mjs");
  const { buildServer, serverFile } = await import("./lib/build.mjs");
  const { generateClient } = await import("./lib/database-client.mjs");
  const { bundleCommands } = await import("./lib/commands.mjs");
  const { resolveDataDir } = await import("./lib/data-dir.mjs");
  await step("Client", generateClient);
  signals.throwIfInterrupted();
  await step("Build", (report) => buildServer(resolveDataDir(process.env), report));
  signals.throwIfInterrupted();
  await step("Commands", () => bundleCommands(join(dirname(serverFile), "commands")));
  return 0;
});
