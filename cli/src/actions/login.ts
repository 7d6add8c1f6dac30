import { createHash, randomBytes } from "node:crypto";
import { hostname } from "node:os";
import { askForSecret, askForText } from "../lib/ask";
import { hasBrowser, openBrowser } from "../lib/browser";
import { Console, settingsOf } from "../lib/console";
import { type Context, isInteractive } from "../lib/context";
import { chooseConsole, consoleUrl, readCredentials, storeCredential } from "../lib/credentials";
import { EXIT, Failure, unreachableFailure, usageFailure } from "../lib/failure";
import { receiveAuthorization } from "../lib/loopback";
import { nameOfPlace, placeOfToken } from "../lib/places";
import { readText } from "../lib/read-text";
import { printable } from "../lib/terminal";
import { isApiToken } from "../lib/token";

export interface LoginFlags {
  token: boolean;
  noBrowser: boolean;
}

/** How long the tool waits for the person in the browser. */
const SIGN_IN_TIMEOUT_MS = 5 * 60_000;

/** The name of this machine without characters that the console refuses. */
function machineName(name: string): string {
  return (
    name
      .replace(/[^\p{L}\p{N}._ -]+/gu, "-")
      .slice(0, 100)
      .trim() || "unknown"
  );
}

function secret(bytes: number): string {
  return randomBytes(bytes).toString("base64url");
}

/** How often a person may type the code. */
const CODE_TRIES = 3;

/**
 * Signs in by a browser of any device, such as over SSH: the person confirms there, and types the code that the console shows into this
 * terminal. It is worth nothing without the secret, which stays here (RFC 7636).
 */
async function signInByCode(context: Context, url: string): Promise<{ token: string; user: string }> {
  const console = new Console(url, null);
  // Fails here rather than in the browser where nothing answers as a console.
  await console.query("config/get-app-config", {});
  const codeVerifier = secret(32);
  const codeChallenge = createHash("sha256").update(codeVerifier, "ascii").digest("base64url");
  const address = `${url}/authorize-tool?${new URLSearchParams({ codeChallenge, state: secret(16), machine: machineName(hostname()) })}`;
  context.err.say(
    `Open this address in a browser of any device, and confirm the sign-in. Then type the code that it shows, within 10 minutes.\n\n${address}\n`,
  );
  const isPerson = isInteractive(context);
  for (let tries = 1; ; tries += 1) {
    // Of an empty line, the prompt answers nothing.
    const code = ((isPerson ? await askForText(context, "Code") : await readText(context, "-")) ?? "").trim();
    if (code === "") throw usageFailure("No code was given.");
    try {
      return await exchange(console, { code, codeVerifier });
    } catch (error) {
      const isWrong = error instanceof Failure && error.problem?.code === "invalid_token";
      if (!isWrong) throw error;
      if (!isPerson || tries === CODE_TRIES)
        throw new Failure(EXIT.refused, "This is not the code, or it has expired.", { problem: error.problem });
      context.err.say("This is not the code.");
    }
  }
}

/** Signs in by the browser: the person confirms, and the tool exchanges the code for a session of its own. */
async function signInByBrowser(context: Context, url: string): Promise<{ token: string; user: string }> {
  const console = new Console(url, null);
  // Fails here rather than in the browser where nothing answers as a console.
  await console.query("config/get-app-config", {});
  const [codeVerifier, state] = [secret(32), secret(16)];
  const page = `${url}/authorize-tool`;
  const receiver = await receiveAuthorization(state, (allowed) => `${page}?result=${allowed ? "done" : "denied"}`);
  const { redirectUri } = receiver;
  const codeChallenge = createHash("sha256").update(codeVerifier, "ascii").digest("base64url");
  const machine = machineName(hostname());
  const address = `${page}?${new URLSearchParams({ redirectUri, codeChallenge, state, machine })}`;
  const timeout = AbortSignal.timeout(SIGN_IN_TIMEOUT_MS);
  try {
    const invitation = openBrowser(context, address)
      ? "Confirm the sign-in in the browser. If it does not open, open this address on this machine:"
      : "Open this address in a browser of this machine, and confirm the sign-in. Where there is none, store an API token with `slipway login --token`. `slipway login --no-browser` signs you in by a browser of another device.";
    context.err.say(`${invitation}\n\n${address}\n`);
    const tooLate = new Promise<never>((_, reject) => {
      timeout.addEventListener("abort", () =>
        reject(unreachableFailure("Nobody confirmed the sign-in within 5 minutes.")),
      );
    });
    const answer = await Promise.race([receiver.answer, tooLate]);
    if ("error" in answer) throw new Failure(EXIT.refused, "The sign-in was denied in the browser.");
    return await exchange(console, { code: answer.code, codeVerifier, redirectUri });
  } finally {
    receiver.close();
  }
}

/** Exchanges the code for a session, whose token comes as a browser gets it. */
async function exchange(
  console: Console,
  input: { code: string; codeVerifier: string; redirectUri?: string },
): Promise<{ token: string; user: string }> {
  const response = await console.orFailure(
    console.request("/api/auth/create-tool-session", {
      method: "POST",
      body: JSON.stringify(input),
      headers: { "Content-Type": "application/json" },
    }),
  );
  const { user } = (await response.json()) as { user: { email: string } };
  const token = response.headers
    .getSetCookie()
    .map((cookie) => /^(?:__Host-)?slipway-session=([\w-]+)/.exec(cookie)?.[1])
    .find(Boolean);
  if (!token) throw unreachableFailure(`${console.url} sent no session.`, "A proxy in between may remove cookies.");
  return { token, user: user.email };
}

/** Reads an API token from the terminal, where it is not shown, or from stdin. */
async function readToken(context: Context): Promise<string> {
  const given = isInteractive(context) ? await askForSecret(context, "API token") : await readText(context, "-");
  const token = given.trim();
  if (!isApiToken(token))
    throw usageFailure("This is not an API token.", "Create one in the console under Settings, API tokens.");
  return token;
}

/**
 * The console to sign in to where the command line names none.
 * @throws Failure for one that slipway.json alone names: others may have written that file, and would get the password or token
 */
function consoleToSignIn(context: Context): string {
  const { console: named, isConsoleOfProject } = settingsOf(context, {});
  const url = chooseConsole(context, named);
  if (isConsoleOfProject && !readCredentials(context).consoles[url]) {
    throw usageFailure(
      `You have not signed in to ${url} before, which only slipway.json names.`,
      `To sign in there, name it: slipway login ${url}`,
    );
  }
  return url;
}

/** Signs in to a console and keeps the session, or an API token, in the tool's own files. */
export async function login(this: Context, flags: LoginFlags, address?: string): Promise<void> {
  const url = address === undefined ? consoleToSignIn(this) : consoleUrl(address);
  if (url.startsWith("http:") && !/^http:\/\/(localhost|127\.|\[::1\])/.test(url)) {
    this.err.say(
      `${this.err.paint("yellow", "Warning:")} ${url} is not encrypted: others on the network can read the sign-in.`,
    );
  }
  if (flags.token) {
    const token = await readToken(this);
    const place = await placeOfToken(new Console(url, token));
    storeCredential(this, url, { token, kind: "token", user: null, refreshedAt: Date.now() });
    this.err.say(
      `${this.err.paint("green", this.symbols.done)} The API token for ${nameOfPlace(place)} at ${url} is stored.`,
    );
    return;
  }
  // Over SSH, a browser of the other machine could not reach this one.
  const isElsewhere = flags.noBrowser || (!hasBrowser(this) && isInteractive(this));
  const { token, user } = await (isElsewhere ? signInByCode : signInByBrowser)(this, url);
  storeCredential(this, url, { token, kind: "session", user, refreshedAt: Date.now() });
  this.err.say(`${this.err.paint("green", this.symbols.done)} Signed in to ${url} as ${printable(user)}.`);
}
