import { parseArgs } from "node:util";
import { type AuditFault, type AuditHead, verifyAudit } from "@/lib/audit/verify";
import { databasePool } from "@/lib/db/client";
import { runCommand } from "./lib/run-command";
import { showUsage } from "./lib/usage";

const USAGE = `Verifies the audit log and lists every record that was changed, removed or moved.

usage: npm run audit -- verify [--head <id>:<hash>]...

  --head   a head that an earlier run printed. Store heads where nobody with write access to the database can change them:
           without one, a truncated or rewritten log is not detected.

Exits with 0 if the log is intact, else with 1.
`;

const HEAD = /^(\d+):([0-9a-f]{64})$/;

function describeFault(fault: AuditFault): string {
  if (fault.fault === "changed") return `record ${fault.id} was changed`;
  if (fault.fault === "reordered") return `record ${fault.id} is not where it was written`;
  return fault.from === fault.to
    ? `record ${fault.from} was removed`
    : `records ${fault.from} to ${fault.to} were removed`;
}

async function verify(known: AuditHead[]): Promise<void> {
  const { records, faults, more, head } = await verifyAudit(databasePool(), known);
  for (const fault of faults) process.stdout.write(`${describeFault(fault)}\n`);
  if (more) process.stdout.write("and more\n");
  process.stdout.write(`${records} records read, ${faults.length === 0 ? "all whole" : "NOT whole"}\n`);
  if (head) process.stdout.write(`head ${head.id}:${head.hash}\n`);
  if (faults.length > 0) process.exitCode = 1;
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { head: { type: "string", multiple: true }, help: { type: "boolean", short: "h" } },
});
const heads = (values.head ?? []).map((text) => HEAD.exec(text));
if (values.help) process.stdout.write(USAGE);
else if (positionals.join(" ") !== "verify" || heads.includes(null)) showUsage(USAGE);
else {
  const known = heads.map((match) => ({ id: match?.[1] as string, hash: match?.[2] as string }));
  await runCommand(() => verify(known));
}
