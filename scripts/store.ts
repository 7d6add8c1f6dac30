import { join } from "node:path";
import { parseArgs } from "node:util";
import { db } from "@/lib/db/client";
import { env } from "@/lib/kernel/env";
import { diskStore, s3Store } from "@/lib/storage";
import { MigrationJournal, type MigrationResult, migrateFiles } from "@/lib/storage/migrate";
import { corsRule, type S3Driver } from "@/lib/storage/s3";
import { runCommand } from "./lib/run-command";
import { commandLine, Refusal, showUsage } from "./lib/usage";

const USAGE = `Manages the file store.

usage: ${commandLine("store")} cors [--origin https://slipway.example.com]...
       ${commandLine("store")} migrate --to s3|disk

  cors      allows browsers to upload to the configured S3 bucket directly, from the console's address (APP_URL) or from
            the given origins. If the store does not support the call, prints the rules to set by other means.
  migrate   copies every file to the other store, reads the copy and compares its SHA-256. The console can keep running on
            the old store. The command can be stopped or killed at any time; the next run resumes. Then stop the console,
            run the command once more for the files that were added, and start with the new STORAGE.
`;

/** The minimum interval between two lines of progress. */
const PROGRESS_INTERVAL_MS = 5_000;

async function allowBrowsers(given: string[]): Promise<void> {
  const store = s3Store();
  const origins = given.length > 0 ? given : [new URL(env.APP_URL).origin];
  await store.prepare();
  const applied = await store.allowOrigins(origins);
  const refused: string[] = [];
  for (const origin of origins) if (!(await isAllowed(store, origin, applied))) refused.push(origin);
  if (refused.length === 0) {
    process.stdout.write(`Browsers may send files to the store from ${origins.join(", ")}.\n`);
    return;
  }
  process.stderr.write(
    `${applied ? "The store took the rule, but still refuses" : "The store does not know the call PutBucketCors, and refuses"} browsers from ${refused.join(", ")}.\nSet this by the store's own means, or in the proxy in front of it:\n${JSON.stringify([corsRule(origins)], null, 2)}\n`,
  );
  process.exitCode = 1;
}

/** @throws Refusal if the store's public address cannot be reached from here */
async function isAllowed(store: S3Driver, origin: string, applied: boolean): Promise<boolean> {
  try {
    return await store.allowsOrigin(origin);
  } catch (error) {
    const address = env.S3_PUBLIC_ENDPOINT ?? env.S3_ENDPOINT;
    const certificate = "for a certificate of your own authority, set NODE_EXTRA_CA_CERTS to the file with its root";
    throw new Refusal(
      `${applied ? "The rule is set" : "The store does not know the call PutBucketCors"}, but it could not be checked: ${address} cannot be reached from here (${reasonOf(error)}). Browsers may reach it all the same; ${certificate}.`,
    );
  }
}

/** Returns the message of the first cause of an error. */
function reasonOf(error: unknown): string {
  const { cause } = error as Error;
  return cause instanceof Error ? reasonOf(cause) : (error as Error).message;
}

async function migrate(to: "s3" | "disk"): Promise<void> {
  const [disk, s3] = [diskStore(), s3Store()];
  const target = to === "s3" ? `s3 ${env.S3_ENDPOINT} ${env.S3_BUCKET}` : `disk ${env.DATA_DIR}`;
  const [from, into] = to === "s3" ? [disk, s3] : [s3, disk];
  await from.prepare();
  await into.prepare();
  const journal = await MigrationJournal.open(join(env.DATA_DIR, `migration-to-${to}.txt`), target);
  let reportedAt = performance.now();
  const report = ({ files, copied }: MigrationResult) => {
    if (performance.now() - reportedAt < PROGRESS_INTERVAL_MS) return;
    reportedAt = performance.now();
    process.stderr.write(`${files} files are in the new store, ${copied} of them copied now\n`);
  };
  const result = await migrateFiles({ db, from, to: into, journal, tell: report });
  process.stdout.write(`${JSON.stringify(result, null, 2)}\n`);
  if (result.missing.length + result.damaged.length > 0) {
    process.stderr.write(
      "Some files are lost or damaged in the old store; restore them from a backup and run this again.\n",
    );
    process.exitCode = 1;
  } else {
    process.stderr.write(
      env.STORAGE === to
        ? "The console's files are all in the store that it uses.\n"
        : `All files are in the new store. Stop the console, run this once more, and start it with STORAGE=${to}.\n`,
    );
  }
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    origin: { type: "string", multiple: true },
    to: { type: "string" },
    help: { type: "boolean", short: "h" },
  },
});
const command = positionals.join(" ");
const { to } = values;
if (values.help) process.stdout.write(USAGE);
else if (command === "cors") await runCommand(() => allowBrowsers(values.origin ?? []), { needsDatabase: false });
else if (command === "migrate" && (to === "s3" || to === "disk")) await runCommand(() => migrate(to));
else showUsage(USAGE);
