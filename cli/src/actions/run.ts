import { spawn } from "node:child_process";
import { constants } from "node:os";
import type { Console } from "../lib/console";
import type { Context } from "../lib/context";
import { connectToEnvironment, type EnvironmentFlags } from "../lib/environment";
import { usageFailure } from "../lib/failure";
import { isSameVariable, readerOf } from "../lib/program-variables";
import { PROJECT_FILE, readProject } from "../lib/project-file";
import { withSecondFactor } from "../lib/second-factor";
import type { VariableKind } from "../lib/variable-types";

export interface RunFlags extends EnvironmentFlags {
  secrets: boolean;
  /** The names of variables that the command gets although they are not listed, or change what programs do. */
  allow?: readonly string[];
}

/** What a terminal sends to the command itself, too: passed on, it would arrive twice. */
const TERMINAL_SIGNALS: readonly NodeJS.Signals[] = ["SIGINT", "SIGQUIT"];
const FORWARDED_SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT", "SIGUSR1", "SIGUSR2"] as const;

async function valuesOf(
  context: Context,
  console: Console,
  input: { environmentId: string; kind: VariableKind },
): Promise<Record<string, string>> {
  const response = await withSecondFactor(context, console, () =>
    console.download("apps/export-variables", { ...input, format: "json" }),
  );
  return (await response.json()) as Record<string, string>;
}

/**
 * Refuses the variables that the command is not to get: of a project that lists its variables, all others; otherwise those by which
 * programs run other code. Nothing is left out silently, because a command that misses a variable does something else.
 * @throws Failure which names them and says how to allow them
 */
function requireAllowed({ platform, folder }: Context, names: readonly string[], allowed: readonly string[]): void {
  const { variables: listed } = readProject(folder);
  const isIn = (list: readonly string[], name: string) => list.some((one) => isSameVariable(one, name, platform));
  const others = names.filter((name) => !isIn([...allowed, ...(listed ?? [])], name));
  const refused = listed ? others : others.filter((name) => readerOf(name, platform) !== null);
  if (refused.length === 0) return;
  const lines = refused.map((name) => {
    const reader = readerOf(name, platform);
    return reader === null ? `  ${name}` : `  ${name}, which is read by ${reader}`;
  });
  const options = refused.map((name) => `--allow ${name}`).join(" ");
  throw usageFailure(
    [
      listed
        ? `The command is not started, because "variables" of ${PROJECT_FILE} does not list all variables of the environment:`
        : "The command is not started, because variables of the environment change what programs do:",
      ...lines,
    ].join("\n"),
    `If they are meant to, allow them: ${options}`,
    listed
      ? `To allow them for good, add them to "variables" of ${PROJECT_FILE}.`
      : `To decide once for the project, list the variables that its commands get as "variables" in ${PROJECT_FILE}.`,
  );
}

/** Starts a command with the variables of an environment. They are in its environment only, not on disk. */
export async function runCommand(this: Context, flags: RunFlags, ...words: string[]): Promise<void> {
  const [program, ...args] = words;
  if (program === undefined) throw usageFailure("Name the command: slipway run -- <command>");
  const { console, place } = await connectToEnvironment(this, flags);
  const environmentId = place.environment.id;
  const variables = await valuesOf(this, console, { environmentId, kind: "dev-variable" });
  const secrets = flags.secrets ? await valuesOf(this, console, { environmentId, kind: "secure-variable" }) : {};
  requireAllowed(this, Object.keys({ ...variables, ...secrets }), flags.allow ?? []);
  // The command does not get the token with which the tool read the variables.
  const { SLIPWAY_TOKEN: _, ...environment } = this.environment;
  this.releaseSignals();
  process.exitCode = await new Promise<number>((resolve, reject) => {
    const child = spawn(program, args, {
      stdio: "inherit",
      env: { ...environment, ...variables, ...secrets } as NodeJS.ProcessEnv,
    });
    const inTerminal = this.stdin.isTTY || this.out.isTTY || this.err.isTTY;
    const forward = (signal: NodeJS.Signals) => {
      if (!inTerminal || !TERMINAL_SIGNALS.includes(signal)) child.kill(signal);
    };
    for (const signal of FORWARDED_SIGNALS) process.on(signal, forward);
    child.on("error", (error: NodeJS.ErrnoException) => {
      const reason = error.code === "ENOENT" ? "is not found" : "cannot be started";
      reject(usageFailure(`The command "${program}" ${reason}.`));
    });
    child.on("close", (code, signal) => {
      for (const one of FORWARDED_SIGNALS) process.off(one, forward);
      resolve(code ?? 128 + (constants.signals[signal ?? "SIGTERM"] ?? 0));
    });
  });
}
