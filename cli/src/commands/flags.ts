import { PROJECT_FILE } from "../lib/project-file";

const text = (value: string) => value;

/** Which console is called. */
export const consoleFlag = {
  kind: "parsed",
  parse: text,
  optional: true,
  placeholder: "url",
  brief: `The console; by default that of SLIPWAY_CONSOLE or ${PROJECT_FILE}, or the one signed in to last`,
} as const;

export const appFlag = {
  kind: "parsed",
  parse: text,
  optional: true,
  placeholder: "app",
  brief: "The application: its identifier, name or ID",
} as const;

export const environmentFlag = {
  kind: "parsed",
  parse: text,
  optional: true,
  placeholder: "name",
  brief: "The environment: its name or ID",
} as const;

export const jsonFlag = {
  kind: "boolean",
  default: false,
  withNegated: false,
  brief: "Write the result, or the problem document, to stdout as JSON",
} as const;

/** A flag that is off by default. */
export function switchFlag(brief: string) {
  return { kind: "boolean", default: false, withNegated: false, brief } as const;
}

/** A flag with a text. */
export function textFlag(placeholder: string, brief: string) {
  return { kind: "parsed", parse: text, optional: true, placeholder, brief } as const;
}

/** The options of commands that write a file. */
export const outputFlags = {
  output: textFlag("path", "The file, or a folder for it; - for stdout"),
  force: switchFlag("Replace a file that is there"),
} as const;

/** A positional argument with a text. */
export function textArgument(placeholder: string, brief: string) {
  return { placeholder, brief, parse: text } as const;
}

/** A name in a flag that can be repeated. */
export const parseName = text;

/** The groups of testers that are told of a release. */
export const groupFlag = {
  kind: "parsed",
  parse: parseName,
  optional: true,
  variadic: true,
  placeholder: "name",
  brief:
    "A group of testers that is told of the release: its name or ID; a token needs the scope release:update; can be repeated",
} as const;

/** The symbols of an iOS app. */
export const dsymFlag = {
  kind: "parsed",
  parse: parseName,
  optional: true,
  variadic: true,
  placeholder: "path",
  brief: "Symbols of the .ipa: a .dSYM folder, a folder of them or a .zip; can be repeated",
} as const;

/** The symbols of an Android app. */
export const mappingFlag = {
  kind: "parsed",
  parse: parseName,
  optional: true,
  placeholder: "file",
  brief: "Symbols of the .apk or .aab: the mapping.txt of R8 or ProGuard",
} as const;

/** A duration as "90", "90s", "30m" or "2h". @returns seconds */
export function parseDuration(input: string): number {
  const [, amount, unit = "s"] = /^(\d{1,6})(s|m|h)?$/.exec(input) ?? [];
  const factor = { s: 1, m: 60, h: 3600 }[unit] ?? 1;
  if (amount === undefined || Number(amount) === 0) throw new Error("write a duration as 90s, 30m or 2h");
  return Number(amount) * factor;
}

/** A number of days. */
export function parseDays(input: string): number {
  if (!/^[1-9]\d{0,3}$/.test(input)) throw new Error("write a number of days from 1 to 9999");
  return Number(input);
}

/** "key=value". */
export function parsePair(input: string): [string, string] {
  const at = input.indexOf("=");
  if (at < 1) throw new Error("write it as key=value");
  return [input.slice(0, at), input.slice(at + 1)];
}

/** The length of a list. */
export function parseLimit(input: string): number {
  if (!/^[1-9]\d?$|^100$/.test(input)) throw new Error("write a number from 1 to 100");
  return Number(input);
}

/** A whole number from 1. */
export function parseVersionNumber(input: string): number {
  if (!/^[1-9]\d{0,8}$/.test(input)) throw new Error("write a whole number");
  return Number(input);
}
