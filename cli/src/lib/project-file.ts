import { existsSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { type Node, type ParseError, parseTree, printParseErrorCode } from "jsonc-parser";
import { fileFailure, usageFailure } from "./failure";

export const PROJECT_FILE = "slipway.json";
/** The fields of slipway.json that are strings. */
const TEXT_FIELDS = ["console", "app", "environment"] as const;
/** The names of the variables that commands of `slipway run` get. */
const VARIABLES = "variables";
const PROJECT_FIELDS = [...TEXT_FIELDS, VARIABLES] as const;
export type Project = Partial<Record<(typeof TEXT_FIELDS)[number], string>> & { variables?: readonly string[] };

/** Editors check the file by a schema that it names. */
const IGNORED = "$schema";

/**
 * The settings of the project: slipway.json of the folder or the nearest one above it.
 * @returns no fields if there is no such file
 * @throws Failure which names the line and the field of the first error
 */
export function readProject(folder: string): Project {
  const path = findUpwards(folder);
  if (path === null) return {};
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    throw fileFailure(path, error) ?? error;
  }
  return parseProject(text, relative(folder, path) || PROJECT_FILE);
}

function findUpwards(folder: string): string | null {
  for (let at = folder; ; at = dirname(at)) {
    const path = join(at, PROJECT_FILE);
    if (existsSync(path)) return path;
    if (dirname(at) === at) return null;
  }
}

/** @param name as errors name the file */
export function parseProject(text: string, name: string): Project {
  const content = text.replace(/^\ufeff/, "");
  const at = (offset: number) => `${name}:${content.slice(0, offset).split("\n").length}`;
  const errors: ParseError[] = [];
  const root = parseTree(content, errors, { disallowComments: true, allowTrailingComma: false });
  const [error] = errors;
  if (error) throw usageFailure(`${at(error.offset)}: ${inWords(printParseErrorCode(error.error))}`);
  if (root?.type !== "object") throw usageFailure(`${at(0)}: the file must be a JSON object.`);
  const project: Project = {};
  for (const property of root.children ?? []) {
    const [key, value] = property.children as [Node, Node];
    const field = String(key.value);
    if (field === IGNORED) continue;
    const known = PROJECT_FIELDS.find((one) => one === field);
    if (!known) {
      const near = PROJECT_FIELDS.find((one) => isNear(one, field.toLowerCase()));
      const proposal = near ? ` Did you mean "${near}"?` : ` The fields are ${PROJECT_FIELDS.join(", ")}.`;
      throw usageFailure(`${at(key.offset)}: the field "${field}" is not known.${proposal}`);
    }
    if (known === VARIABLES) {
      const names = value.type === "array" ? (value.children ?? []) : [value];
      const wrong = names.find((name) => !isText(name));
      if (wrong || value.type !== "array")
        throw usageFailure(`${at((wrong ?? value).offset)}: the field "${field}" must be a list of names.`);
      project.variables = names.map((name) => String(name.value));
      continue;
    }
    if (!isText(value))
      throw usageFailure(`${at(value.offset)}: the field "${field}" must be a text that is not empty.`);
    project[known] = String(value.value);
  }
  return project;
}

/** Whether a value is a text that is not empty. */
function isText(value: Node): boolean {
  return value.type === "string" && String(value.value).trim() !== "";
}

/** "CommaExpected" as "comma expected". */
function inWords(code: string): string {
  return `${code.replace(/([a-z])([A-Z])/g, "$1 $2").toLowerCase()}.`;
}

/** Whether two words differ by at most two insertions, deletions or replacements. */
function isNear(a: string, b: string): boolean {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const replaced = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, replaced));
    }
    row = next;
  }
  return (row[b.length] ?? 0) <= 2;
}
