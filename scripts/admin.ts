import { parseArgs } from "node:util";
import type { Changes } from "@/lib/audit/write";
import { newPasswordLink, passwordLinkMinutes, passwordUser } from "@/lib/auth/password-links";
import { endSessions } from "@/lib/auth/sessions";
import { type Db, db } from "@/lib/db/client";
import { userIdByEmail } from "@/lib/features/auth/data";
import { removeFactors } from "@/lib/features/two-factor/data";
import { recordCommand } from "./lib/record";
import { runCommand } from "./lib/run-command";
import { commandLine, Refusal, showUsage } from "./lib/usage";

const USAGE = `Restores access for users whom no administrator can help, such as the only administrator without phone and recovery codes.

usage: ${commandLine("admin")} reset-two-factor <email>
       ${commandLine("admin")} recovery-link <email>

  reset-two-factor   turns off the user's two-factor authentication, deletes their passkeys and ends all their sessions.
  recovery-link      prints a link to set a new password, for servers that send no mail. The link works once, expires after
                     ${passwordLinkMinutes("recovery")} minutes and ends all sessions of the user. It does not replace a second factor.

Both write a record to the audit log. Verify the identity of the person who asks.
`;

const COMMANDS = {
  "reset-two-factor": async (tx: Db, userId: string, email: string) => {
    const { twoFactor, passkeys } = await removeFactors(tx, userId);
    if (!twoFactor && passkeys === 0) throw new Refusal(`${email} has neither two-factor authentication nor passkeys.`);
    await endSessions(tx, userId);
    const changes: Changes = { enabled: [twoFactor, false], passkeys: [passkeys, 0] };
    await recordCommand(tx, { table: "TwoFactor", action: "reset", recordId: userId, changes });
    return `The two-factor authentication of ${email} is off, their passkeys are deleted, and all their sessions have ended.`;
  },
  "recovery-link": async (tx: Db, userId: string, email: string) => {
    if (!(await passwordUser(tx, userId))) {
      throw new Refusal(
        `${email} has no use for a password: the user is switched off or signs in by a provider, or sign-ins by e-mail are switched off.`,
      );
    }
    const link = await newPasswordLink(tx, { purpose: "recovery", userId, now: new Date() });
    await recordCommand(tx, { table: "User", action: "password-recovery", recordId: userId });
    return link;
  },
};

async function run(command: keyof typeof COMMANDS, email: string): Promise<void> {
  const message = await db.$transaction(async (tx) => {
    const userId = await userIdByEmail(tx, email);
    if (userId === null) throw new Refusal(`There is no user with the e-mail ${email}.`);
    return COMMANDS[command](tx, userId, email);
  });
  process.stdout.write(`${message}\n`);
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { help: { type: "boolean", short: "h" } },
});
const [command = "", email, ...more] = positionals;
if (values.help) process.stdout.write(USAGE);
else if (Object.hasOwn(COMMANDS, command) && email && more.length === 0) {
  await runCommand(() => run(command as keyof typeof COMMANDS, email));
} else showUsage(USAGE);
