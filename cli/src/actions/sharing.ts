import { DAY_MS } from "@/lib/kernel/time";
import { type Console, connect } from "../lib/console";
import type { Context } from "../lib/context";
import { connectToEnvironment, type EnvironmentFlags } from "../lib/environment";
import { usageFailure } from "../lib/failure";
import { readText } from "../lib/read-text";
import { requireReleaseId } from "../lib/release";
import { withSecondFactor } from "../lib/second-factor";
import { writeJson } from "../lib/write-json";

export interface ShareFlags extends EnvironmentFlags {
  name?: string;
  passwordStdin: boolean;
  days?: number;
  maxInstalls?: number;
  onlyPhones: boolean;
  hideNotes: boolean;
  json: boolean;
}

/** The line that stdin has. @throws Failure if there is none */
async function readPassword(context: Context): Promise<string> {
  const password = (await readText(context, "-")).replace(/\r?\n$/, "");
  if (password === "") throw usageFailure("stdin has no password.");
  return password;
}

/** Creates a link that opens a release, or always the latest one of an environment, without an account. */
export async function share(this: Context, flags: ShareFlags, id?: string): Promise<void> {
  if (id !== undefined) requireReleaseId(id);
  const password = flags.passwordStdin ? await readPassword(this) : undefined;
  const settings = {
    name: flags.name ?? "slipway share",
    password,
    expiresAt: flags.days === undefined ? undefined : new Date(Date.now() + flags.days * DAY_MS).toISOString(),
    maxInstalls: flags.maxInstalls,
    onlyPhones: flags.onlyPhones,
    showNotes: !flags.hideNotes,
  };
  const create = (console: Console, of: { environmentId: string } | { releaseId: string }) =>
    withSecondFactor(this, console, () => console.command("share-links/create-share-link", { ...of, ...settings }));
  let link: { url: string };
  if (id === undefined) {
    const { console, place } = await connectToEnvironment(this, flags);
    link = await create(console, { environmentId: place.environment.id });
  } else {
    const console = await connect(this, flags);
    link = await create(console, { releaseId: id });
  }
  if (flags.json) writeJson(this, link);
  else this.out.write(`${link.url}\n`);
}
