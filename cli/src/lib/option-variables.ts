import type { Context } from "./context";
import { usageFailure } from "./failure";
import type { Environment } from "./terminal";

/** The part of a declared option that is needed to read it from the environment. */
type DeclaredOption = { kind: "boolean" } | { kind: "parsed"; parse: (text: string) => unknown; variadic?: boolean };

/** Options of which a command takes one. If the command line has one of them, the others are not read from the environment. */
const ALTERNATIVES: readonly string[] = ["notes", "notesFile", "notesFromGit"];

/** The environment variable of an option: SLIPWAY_NOTES_FILE for `notesFile`. */
export function variableOf(option: string): string {
  return `SLIPWAY_${option.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`;
}

function readSwitch(text: string): boolean {
  if (/^(true|1|yes)$/i.test(text)) return true;
  if (/^(false|0|no)$/i.test(text)) return false;
  throw new Error("write true or false");
}

function readOption(option: DeclaredOption, text: string): unknown {
  if (option.kind === "boolean") return readSwitch(text);
  if (!option.variadic) return option.parse(text);
  const lines = text.split("\n").map((line) => line.trim());
  return lines.filter(Boolean).map((line) => option.parse(line));
}

/**
 * Reads the options that the command line leaves open from environment variables, as CI systems pass inputs.
 * @throws Failure which names the variable with a wrong value
 */
function withVariables<Flags extends object>(
  declared: Readonly<Record<string, DeclaredOption>>,
  given: Flags,
  environment: Environment,
): Flags {
  const isGiven = (name: string) => {
    const value = (given as Record<string, unknown>)[name];
    return value !== undefined && value !== false;
  };
  const named = ALTERNATIVES.some(isGiven) ? ALTERNATIVES : [];
  const read = Object.entries(declared).flatMap(([name, option]): [string, unknown][] => {
    const variable = variableOf(name);
    const text = environment[variable]?.trim();
    if (!text || isGiven(name) || named.includes(name)) return [];
    try {
      return [[name, readOption(option, text)]];
    } catch (error) {
      throw usageFailure(`${variable}: ${(error as Error).message}.`);
    }
  });
  return { ...given, ...Object.fromEntries(read) };
}

/** A command whose options, and whose file, can be environment variables. */
export function takingVariables<Flags extends object>(
  declared: Readonly<Record<string, DeclaredOption>>,
  command: (this: Context, flags: Flags, file: string) => Promise<void>,
): (this: Context, flags: Flags, file?: string) => Promise<void> {
  return function (flags, file) {
    const path = file ?? (this.environment[variableOf("file")] || undefined);
    if (path === undefined) throw usageFailure("Name the installer: slipway upload <file>");
    return command.call(this, withVariables(declared, flags, this.environment), path);
  };
}
