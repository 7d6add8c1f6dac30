import { parseArgs } from "node:util";
import { resignCheckpoints, storedCheckpoints } from "@/lib/auth/audit-checkpoints";
import { RETIRED_KEY_DAYS, rotateSigningKey, SIGNING_KEY_CHECK_MS, signingKeyOf } from "@/lib/auth/server-keys";
import { db } from "@/lib/db/client";
import { DAY_MS } from "@/lib/kernel/time";
import { recordCommand } from "./lib/record";
import { runCommand } from "./lib/run-command";
import { commandLine, showUsage } from "./lib/usage";

const USAGE = `Replaces the key that signs the responses of the client API (X-Signature) and the checkpoints of the audit log.

usage: ${commandLine("signing-key")} rotate [--revoke]

  --revoke   removes the old keys at once, because they may be compromised, and signs the stored checkpoints of the audit
             log again. Without it, config/get-public-key publishes the old public keys for ${RETIRED_KEY_DAYS} more days.

Running instances sign with the new key within ${SIGNING_KEY_CHECK_MS / 1000} seconds. The rotation is recorded in the audit log.
`;

async function rotate(revoke: boolean): Promise<void> {
  const now = new Date();
  const kid = await db.$transaction(async (tx) => {
    const checkpoints = revoke ? (await storedCheckpoints(tx)).own : [];
    const newKid = await rotateSigningKey(tx, now, { revoke });
    await resignCheckpoints(tx, checkpoints, await signingKeyOf(tx, newKid));
    await recordCommand(tx, { table: "ServerKey", action: revoke ? "revoke" : "rotate", recordId: newKid, now });
    return newKid;
  });
  process.stdout.write(`${kid}\n`);
  const end = new Date(now.getTime() + RETIRED_KEY_DAYS * DAY_MS).toISOString();
  process.stderr.write(revoke ? "The old keys are removed.\n" : `The old public keys are published until ${end}.\n`);
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { revoke: { type: "boolean" }, help: { type: "boolean", short: "h" } },
});
if (values.help) process.stdout.write(USAGE);
else if (positionals.join(" ") === "rotate") await runCommand(() => rotate(values.revoke ?? false));
else showUsage(USAGE);
