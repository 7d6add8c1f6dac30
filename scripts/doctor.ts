import { parseArgs } from "node:util";
import { db } from "@/lib/db/client";
import { findCheckable, keepCheck, newestCheckable } from "@/lib/install-check/data";
import { checkInstallation } from "@/lib/install-check/run";
import { translatorFor } from "@/lib/kernel/i18n/translator";
import { idSchema } from "@/lib/kernel/ids-schema";
import { findsNoFailure, type InstallFinding } from "@/lib/kernel/install-check-codes";
import { runCommand } from "./lib/run-command";
import { commandLine, Refusal, showUsage } from "./lib/usage";

const USAGE = `Checks whether phones can install from this console, by the way that they go from APP_URL.

usage: ${commandLine("doctor")} [--release <id>] [--json]

  --release  the release that is checked. By default, the newest one for iOS and the newest APK; without any, only the address.
  --json     writes the checks as JSON.

Run it while the console serves. It exits with 0 if no check fails, else with 1.
`;

const SIGNS = { ok: "ok", warning: "warning", failure: "FAILED", skipped: "skipped" } as const;

function describe({ code, result, seen, problem }: InstallFinding): string {
  const t = translatorFor("en");
  const line = `${SIGNS[result].padEnd(8)} ${t(`installCheckWords.checks.${code}`)}${seen && `: ${seen}`}`;
  return problem ? `${line}\n         ${t(`installCheckWords.advice.${problem}`)}` : line;
}

async function run(releaseId: string | undefined, asJson: boolean): Promise<void> {
  const named =
    releaseId === undefined ? null : idSchema.safeParse(releaseId).success && (await findCheckable(db, releaseId));
  if (named === false || (releaseId !== undefined && named === null)) {
    throw new Refusal(`There is no release with the ID ${releaseId}.`);
  }
  const releases = named ? [named] : await newestCheckable(db);
  const findings = await checkInstallation(releases);
  if (named) await keepCheck(db, named.id, { ranAt: new Date(), findings });
  process.stdout.write(asJson ? `${JSON.stringify(findings, null, 2)}\n` : `${findings.map(describe).join("\n")}\n`);
  if (!findsNoFailure(findings)) process.exitCode = 1;
}

function parse() {
  try {
    return parseArgs({
      options: { release: { type: "string" }, json: { type: "boolean", default: false }, help: { type: "boolean" } },
    }).values;
  } catch {
    return null;
  }
}

const options = parse();
if (!options || options.help) showUsage(USAGE);
else await runCommand(() => run(options.release, options.json));
