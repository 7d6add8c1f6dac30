import { parseArgs } from "node:util";
import { masterKeys } from "@/lib/kernel/crypto/master-keys";
import { countMasterKeyUse, findMissingMasterKeys, type MasterKeyUse } from "@/lib/keys/master-key-use";
import { rotateMasterKey, type UnopenedValue, verifySealedValues } from "@/lib/keys/rotation";
import { reportProgress } from "./lib/progress";
import { runCommand } from "./lib/run-command";
import { commandLine, showUsage } from "./lib/usage";

const USAGE = `Manages the master keys (MASTER_KEY), which seal the secrets in the database.

usage: ${commandLine("keys")} status | rotate | verify

  status   shows how many values each master key wraps, and which keys are missing from the settings
  rotate   wraps all values with the first key of the settings. The console can keep running if all of its instances have
           the new key. The command can be stopped or killed at any time; the next run resumes.
  verify   opens every sealed value and lists those that do not open by table, ID and column

To rotate: put a new key before the old one in MASTER_KEY, restart all instances, run rotate, remove the old key, restart.
If instances are restarted one after the other, first add the new key behind the old one and restart them all.
`;

function writeFailure({ table, id, column, reason }: UnopenedValue): void {
  process.stdout.write(`${table} ${id} ${column}: ${reason}\n`);
  process.exitCode = 1;
}

function describeKey(keyId: string | null): string {
  if (keyId === null) return "not a sealed value";
  const { current, all } = masterKeys();
  if (keyId === current.id) return `${keyId} (current)`;
  return all.has(keyId) ? `${keyId} (old)` : `${keyId} (MISSING from MASTER_KEY)`;
}

function writeUses(uses: readonly MasterKeyUse[]): void {
  const keyIds = new Set<string | null>([...masterKeys().all.keys(), ...uses.map(({ keyId }) => keyId)]);
  for (const keyId of keyIds) {
    const ofKey = uses.filter((use) => use.keyId === keyId);
    const total = ofKey.reduce((sum, { count }) => sum + count, 0);
    process.stdout.write(`${describeKey(keyId)}: ${total} values\n`);
    for (const { column, count } of ofKey) process.stdout.write(`  ${column}: ${count}\n`);
  }
}

async function status(): Promise<void> {
  const uses = await countMasterKeyUse();
  writeUses(uses);
  const unusable = uses.some(({ keyId }) => keyId === null) || findMissingMasterKeys(uses, masterKeys()).size > 0;
  if (unusable) process.exitCode = 1;
}

async function rotate(): Promise<void> {
  const progress = reportProgress("rewrapped");
  const { rewrapped, changed } = await rotateMasterKey({
    progress: ({ done, total }) => progress.update(done, total),
    failed: writeFailure,
  });
  progress.end();
  process.stdout.write(`${rewrapped} values were rewrapped with the key ${masterKeys().current.id}\n`);
  if (changed > 0)
    process.stdout.write(`${changed} values were changed by the console in the meantime and were skipped\n`);
  const others = (await countMasterKeyUse()).filter(({ keyId }) => keyId !== masterKeys().current.id);
  if (others.length === 0) {
    process.stdout.write("No value needs another key. Older keys can be removed from MASTER_KEY.\n");
    return;
  }
  process.stdout.write("Other keys are still needed. Configure the new key on all instances, then run this again:\n");
  writeUses(others);
  process.exitCode = 1;
}

async function verify(): Promise<void> {
  const total = (await countMasterKeyUse()).reduce((sum, { count }) => sum + count, 0);
  const progress = reportProgress("opened");
  const { opened, failed } = await verifySealedValues({
    progress: (read) => progress.update(read, total),
    failed: writeFailure,
  });
  progress.end();
  process.stdout.write(`${opened} values open, ${failed} do not\n`);
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { help: { type: "boolean", short: "h" } },
});
const commands = new Map(Object.entries({ status, rotate, verify }));
const command = commands.get(positionals.join(" "));
if (values.help) process.stdout.write(USAGE);
else if (command) await runCommand(command);
else showUsage(USAGE);
