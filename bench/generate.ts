import { parseArgs } from "node:util";
import { withConsoleSettings } from "../scripts/lib/settings.ts";
import { fill } from "./fill.ts";

const USAGE = `Adds generated rows to a console's database, to test it with large tables. Do not use it on a database that is in use.

usage: npm run bench:fill -- [--releases <n>] [--users <n>] [--audit-records <n>] [--release <id>]

  --release  the release to copy into the environments of its app; by default, the oldest one

The audit records continue the chain: npm run audit -- verify finds them intact.
`;

const { values } = parseArgs({
  options: {
    releases: { type: "string", default: "0" },
    users: { type: "string", default: "0" },
    "audit-records": { type: "string", default: "0" },
    release: { type: "string" },
    help: { type: "boolean", short: "h" },
  },
});
const [releases, users, auditRecords] = [values.releases, values.users, values["audit-records"]].map(Number);
const amounts = { releases, users, auditRecords } as Parameters<typeof fill>[1];
if (values.help) process.stdout.write(USAGE);
else if (Object.values(amounts).some((amount) => !Number.isSafeInteger(amount) || amount < 0)) {
  process.stderr.write(USAGE);
  process.exitCode = 2;
} else {
  await withConsoleSettings(async () => {
    const begun = performance.now();
    await fill(process.env.DATABASE_URL as string, amounts, values.release);
    process.stdout.write(`done in ${((performance.now() - begun) / 1000).toFixed(0)} s\n`);
  });
}
