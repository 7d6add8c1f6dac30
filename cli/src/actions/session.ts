import { ApiCallError } from "@/lib/client/problem";
import { Console, type ConsoleFlags, connect, settingsOf } from "../lib/console";
import type { Context } from "../lib/context";
import { chooseConsole, readCredentials, removeCredential } from "../lib/credentials";
import { nameOfPlace } from "../lib/places";
import { printable } from "../lib/terminal";
import { endOfToken } from "../lib/token";
import { writeJson } from "../lib/write-json";

/** Ends the session at the console and removes it from this machine. */
export async function logout(this: Context, flags: ConsoleFlags): Promise<void> {
  const url = chooseConsole(this, settingsOf(this, flags).console);
  const credential = readCredentials(this).consoles[url];
  if (!credential) {
    this.err.say(`You are not signed in to ${url}.`);
    return;
  }
  removeCredential(this, url);
  if (credential.kind === "token") {
    this.err.say(
      `The API token for ${url} is removed from this machine. It stays valid until it is deleted in the console.`,
    );
    return;
  }
  try {
    await new Console(url, credential.token).tryCommand("auth/logout", {});
  } catch (error) {
    // A session that has ended is what was wanted.
    if (!(error instanceof ApiCallError) || error.problem.status !== 401) {
      this.err.say("The console could not be told; the session ends there by itself when it is not used.");
    }
  }
  this.err.say(`Signed out of ${url}.`);
}

export interface WhoamiFlags extends ConsoleFlags {
  json: boolean;
}

/** Says who the tool acts as, and at which console. */
export async function whoami(this: Context, flags: WhoamiFlags): Promise<void> {
  const console = await connect(this, flags);
  if (console.isApiToken) {
    const token = await console.query("client/get-environment", {});
    if (flags.json) return writeJson(this, { console: console.url, kind: "token", ...token });
    const { text } = endOfToken(token.validUntil, new Date());
    this.out.write(`API token for ${nameOfPlace(token)} at ${console.url}\n${text}\n`);
    return;
  }
  const { user } = await console.query("auth/get-user-profile", {});
  if (flags.json) return writeJson(this, { console: console.url, kind: "session", user });
  this.out.write(`${printable(user.email)} (${printable(user.role.name)}) at ${console.url}\n`);
}
