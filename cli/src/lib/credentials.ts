import type { Context } from "./context";
import { Failure, usageFailure } from "./failure";
import { privateFile, readPrivateJson, writePrivateJson } from "./private-file";

/** How the tool identifies itself at one console. */
export interface Credential {
  /** The session's token, or an API token. */
  token: string;
  kind: "session" | "token";
  /** The user's e-mail address, or null for an API token. */
  user: string | null;
  /** When the session was kept alive last, by this machine's clock, in milliseconds since the epoch. */
  refreshedAt: number;
}

interface Credentials {
  /** The console that is used if no other is named: the one signed in to last. */
  current: string | null;
  /** By the console's URL. */
  consoles: Record<string, Credential>;
}

function fileOf(context: Context): string | null {
  return privateFile(context, "credentials.json");
}

/** The stored credentials. */
export function readCredentials(context: Context): Credentials {
  const stored = readPrivateJson(fileOf(context), context.platform) as Partial<Credentials> | undefined;
  return { current: stored?.current ?? null, consoles: stored?.consoles ?? {} };
}

/** Stores the credential of a console, which becomes the current one. */
export function storeCredential(context: Context, url: string, credential: Credential): void {
  const { consoles } = readCredentials(context);
  writePrivateJson(fileOf(context), { current: url, consoles: { ...consoles, [url]: credential } });
}

/** Notes that a session was kept alive. Where that cannot be stored, the next command keeps it alive again. */
export function noteRefresh(context: Context, url: string): void {
  const { current, consoles } = readCredentials(context);
  const credential = consoles[url];
  if (!credential) return;
  try {
    const refreshed = { ...credential, refreshedAt: Date.now() };
    writePrivateJson(fileOf(context), { current, consoles: { ...consoles, [url]: refreshed } });
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
  }
}

/** Removes the credential of a console. */
export function removeCredential(context: Context, url: string): void {
  const { current, consoles } = readCredentials(context);
  const { [url]: _, ...others } = consoles;
  const next = current === url ? (Object.keys(others)[0] ?? null) : current;
  writePrivateJson(fileOf(context), { current: next, consoles: others });
}

/**
 * The URL of a console without a path.
 * @throws Failure if the text is no HTTP URL, or has a path; it is not repeated, because it may be a token in the wrong place
 */
export function consoleUrl(text: string): string {
  const hasScheme = /^[a-z]+:\/\//i.test(text);
  const candidate = hasScheme ? text : `https://${text}`;
  const url = URL.canParse(candidate) ? new URL(candidate) : null;
  // A single word is a host, such as a container, only after a scheme: it may be a token in the wrong place.
  const isHost = url !== null && (hasScheme || /^(localhost|\[.*\]|.*\..*)$/.test(url.hostname));
  if (!isHost || !/^https?:$/.test(url.protocol) || url.username || url.password)
    throw usageFailure("The console’s address is not a URL.", "Write it as https://slipway.example.com.");
  if (url.pathname !== "/" || url.search || url.hash)
    throw usageFailure("The console’s address has a path, which a console has not.", `Write it as ${url.origin}.`);
  return url.origin;
}

/**
 * The console of a command: the one that the command line, SLIPWAY_CONSOLE or slipway.json names, in this order, otherwise the
 * one signed in to last. A name that is part of the URL of one known console is enough.
 * @throws Failure if none is known
 */
export function chooseConsole(context: Context, named: string | undefined): string {
  const { current, consoles } = readCredentials(context);
  if (named !== undefined) {
    const known = Object.keys(consoles).filter((url) => new URL(url).host.startsWith(named));
    return known.length === 1 && !named.includes("/") ? (known[0] as string) : consoleUrl(named);
  }
  if (current !== null) return current;
  throw usageFailure(
    "No console is named.",
    "Sign in with `slipway login https://slipway.example.com`, or name the console with --console, SLIPWAY_CONSOLE or slipway.json.",
  );
}
