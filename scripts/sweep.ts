import { parseArgs } from "node:util";
import { db } from "@/lib/db/client";
import { SWEEP_GRACE_MS, sweep } from "@/lib/jobs/sweep";
import { storage } from "@/lib/storage";
import { runCommand } from "./lib/run-command";
import { commandLine } from "./lib/usage";

const USAGE = `Removes the remains of failed calls, crashes and abandoned uploads, as the server does every 15 minutes.

usage: ${commandLine("sweep")} [--now]

  --now   removes unfinished files at once instead of after 24 hours. Uploads in parts are not affected; a file that is
          being uploaded in one piece is lost.
`;

async function run(graceMs: number): Promise<void> {
  const result = await sweep(db, storage(), { now: new Date(), graceMs });
  process.stdout.write(`${JSON.stringify(result, null, 2)}\n`);
  if (result.lost.length > 0) process.exitCode = 1;
}

const { values } = parseArgs({ options: { now: { type: "boolean" }, help: { type: "boolean", short: "h" } } });
if (values.help) process.stdout.write(USAGE);
else await runCommand(() => run(values.now ? 0 : SWEEP_GRACE_MS));
