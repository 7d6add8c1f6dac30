import { parseArgs } from "node:util";
import { withConsoleSettings } from "../scripts/lib/settings.ts";
import { type Amounts, fill } from "./fill.ts";

const USAGE = `Adds generated rows to a console's database, to test it with large tables. Do not use it on a database that is in use.

usage: npm run bench:fill -- [--releases <n>] [--downloads <n>] [--users <n>] [--audit-records <n>] [--release <id>]
         [--development-variables <n>] [--secure-variables <n>] [--certificates <n>] [--configuration-versions <n>]
         [--environment <id>]

  --release      the release to copy into the environments of its app; by default, the oldest one
  --environment  the environment that gets the variables, certificates and configuration versions, which must not have
                 any; by default, the oldest one

The audit records continue the chain: npm run audit -- verify finds them intact. Secrets are sealed with the console's
master key.
`;

const { values } = parseArgs({
  options: {
    releases: { type: "string", default: "0" },
    downloads: { type: "string", default: "0" },
    users: { type: "string", default: "0" },
    "audit-records": { type: "string", default: "0" },
    "development-variables": { type: "string", default: "0" },
    "secure-variables": { type: "string", default: "0" },
    certificates: { type: "string", default: "0" },
    "configuration-versions": { type: "string" },
    release: { type: "string" },
    environment: { type: "string" },
    help: { type: "boolean", short: "h" },
  },
});
const entries = {
  developmentVariables: Number(values["development-variables"]),
  secureVariables: Number(values["secure-variables"]),
  certificates: Number(values.certificates),
};
const hasEntries = Object.values(entries).some((count) => count > 0);
const amounts: Amounts = {
  releases: Number(values.releases),
  downloads: Number(values.downloads),
  users: Number(values.users),
  auditRecords: Number(values["audit-records"]),
  ...entries,
  configurationVersions: Number(values["configuration-versions"] ?? (hasEntries ? 1 : 0)),
};
if (values.help) process.stdout.write(USAGE);
else if (
  Object.values(amounts).some((amount) => !Number.isSafeInteger(amount) || amount < 0) ||
  (amounts.configurationVersions > 0 && !hasEntries)
) {
  process.stderr.write(USAGE);
  process.exitCode = 2;
} else {
  await withConsoleSettings(async () => {
    const begun = performance.now();
    await fill(process.env.DATABASE_URL as string, amounts, {
      releaseId: values.release,
      environmentId: values.environment,
    });
    process.stdout.write(`done in ${((performance.now() - begun) / 1000).toFixed(0)} s\n`);
  });
}
