import { extname } from "node:path";
import type { OperationOutput } from "@/lib/client/operation-types";
import { askForSecret, askToConfirm } from "../lib/ask";
import type { Console } from "../lib/console";
import { type Context, isInteractive } from "../lib/context";
import { connectToEnvironment, type EnvironmentFlags } from "../lib/environment";
import { EXIT, Failure, usageFailure } from "../lib/failure";
import { outputPath, writeOutput } from "../lib/output-file";
import { allItems, ambiguousFailure, findPlaces } from "../lib/places";
import { readerOf } from "../lib/program-variables";
import { readText } from "../lib/read-text";
import { withSecondFactor } from "../lib/second-factor";
import { printable, writeTable } from "../lib/terminal";
import type {
  CopyFlags,
  DiffFlags,
  JsonFlags,
  PullFlags,
  PushFlags,
  VariableFormat,
  VariableKind,
} from "../lib/variable-types";
import { writeJson } from "../lib/write-json";

type ImportResult = OperationOutput<"apps/import-variables">;
type Listed = { id: string; key: string; name: string; status: string; value?: string };

/** The variables of an environment; those of secure variables have no values. */
function variablesOf(console: Console, kind: VariableKind, environmentId: string): Promise<Listed[]> {
  return allItems<Listed>((cursor) => {
    const input = { environmentId, limit: 100, cursor };
    return kind === "dev-variable"
      ? console.query("apps/get-development-variables", input)
      : console.query("apps/get-secure-variables", input);
  });
}

function requireKey(variables: readonly Listed[], key: string): Listed {
  const found = variables.find((one) => one.key === key);
  if (!found) throw usageFailure(`There is no variable "${key}".`);
  return found;
}

/** The format of a file by its name; `.env` and everything else is dotenv. */
export function formatOf(path: string): VariableFormat {
  const extension = extname(path).toLowerCase();
  if (extension === ".json") return "json";
  return extension === ".yaml" || extension === ".yml" ? "yaml" : "dotenv";
}

/** What a file in a named folder is called. */
const FILE_NAMES: Record<VariableFormat, string> = { dotenv: ".env", json: "variables.json", yaml: "variables.yaml" };

/** Warns of variables in a .env file that change what programs do: shells and containers hand them on. */
function warnOfProgramVariables(context: Context, content: string): void {
  const names = [...content.matchAll(/^([\w.-]+)=/gm)].map(([, name = ""]) => name);
  for (const name of names) {
    const reader = readerOf(name, context.platform);
    if (reader === null) continue;
    context.err.say(
      `${context.err.paint("yellow", "Warning:")} ${name} changes what a program does. It is read by ${reader}.`,
    );
  }
}

/** Repeats the comments before the variables, which name programs that misread some of them. */
function warnOfMisreaders(context: Context, content: string): void {
  const comments = /^(?:#.*\n)+/.exec(content)?.[0] ?? "";
  for (const [, comment = ""] of comments.matchAll(/^# (.*)$/gm)) {
    context.err.say(`${context.err.paint("yellow", "Warning:")} ${printable(comment)}`);
  }
}

const SIGNS = { create: "+", update: "~", delete: "-" };

/** @param key the variable of a line, for those of the command line */
function describeChanges(context: Context, result: ImportResult, key?: (line: number) => string | undefined): void {
  const { errors, changes } = result;
  if (errors.length > 0) {
    const place = ({ line }: { line: number }) => (key ? JSON.stringify(key(line) ?? "") : `line ${line}`);
    const lines = errors.map((error) => `  ${printable(place(error))}: ${printable(error.message)}`);
    const what = key ? "The variables cannot be set." : "The file cannot be imported.";
    throw new Failure(key ? EXIT.usage : EXIT.refused, [what, ...lines].join("\n"));
  }
  for (const change of changes) context.out.write(`${SIGNS[change.action]} ${printable(change.key)}\n`);
  if (changes.length === 0) context.err.say("There is no difference.");
}

/** The commands for one kind of variables. */
export function variableActions(kind: VariableKind) {
  const isSecret = kind === "secure-variable";

  async function list(this: Context, flags: JsonFlags): Promise<void> {
    const { console, place } = await connectToEnvironment(this, flags);
    const variables = await variablesOf(console, kind, place.environment.id);
    if (flags.json) return writeJson(this, variables);
    if (variables.length === 0) this.err.say("There are no variables.");
    writeTable(
      this.out,
      ["key", "status", isSecret ? "name" : "value"],
      variables.map(({ key, status, value, name }) => [key, status, isSecret ? name : (value ?? "")]),
    );
  }

  async function get(this: Context, flags: EnvironmentFlags, key: string): Promise<void> {
    const { console, place } = await connectToEnvironment(this, flags);
    const found = requireKey(await variablesOf(console, kind, place.environment.id), key);
    const value = isSecret
      ? (await withSecondFactor(this, console, () => console.query("apps/get-secure-variable", { id: found.id }))).value
      : found.value;
    // Scripts read the value as it is; a terminal must not run what it contains.
    this.out.write(`${this.out.isTTY ? printable(value ?? "") : value}\n`);
  }

  async function set(this: Context, flags: EnvironmentFlags, ...pairs: string[]): Promise<void> {
    const values: Record<string, string> = {};
    const asked = pairs.filter((pair) => !pair.includes("=")).length;
    for (const pair of pairs) {
      const at = pair.indexOf("=");
      const key = at === -1 ? pair : pair.slice(0, at);
      if (at !== -1 && isSecret) {
        throw usageFailure(
          "Secrets are not written on the command line: other users see it, and the shell remembers it.",
          "Name the key alone; its value is asked for, or read from stdin.",
        );
      }
      values[key] = at === -1 ? await readValue(this, key, asked) : pair.slice(at + 1);
    }
    const { console, place } = await connectToEnvironment(this, flags);
    const result = await withSecondFactor(this, console, () =>
      console.command("apps/import-variables", {
        environmentId: place.environment.id,
        kind,
        format: "json",
        // One variable a line, from the second on.
        text: JSON.stringify(values, null, 1),
        mode: "merge",
      }),
    );
    describeChanges(this, result, (line) => Object.keys(values)[line - 2]);
  }

  async function unset(this: Context, flags: EnvironmentFlags, ...keys: string[]): Promise<void> {
    const { console, place } = await connectToEnvironment(this, flags);
    const variables = await variablesOf(console, kind, place.environment.id);
    const found = keys.map((key) => requireKey(variables, key));
    const lines: string[] = [];
    try {
      for (const { id, key } of found) {
        await withSecondFactor(this, console, () =>
          isSecret
            ? console.command("apps/delete-secure-variable", { id })
            : console.command("apps/delete-development-variable", { id }),
        );
        lines.push(`- ${printable(key)}\n`);
      }
    } finally {
      // At the end: the tool ends, as if all was done, when nobody reads its output any more.
      this.out.write(lines.join(""));
    }
  }

  async function pull(this: Context, flags: PullFlags): Promise<void> {
    const path = outputPath(this, { ...flags, output: flags.output ?? "-" }, FILE_NAMES[flags.format]);
    const { console, place } = await connectToEnvironment(this, flags);
    const response = await withSecondFactor(this, console, () =>
      console.download("apps/export-variables", { environmentId: place.environment.id, kind, format: flags.format }),
    );
    const content = await response.text();
    if (flags.format === "dotenv") {
      warnOfMisreaders(this, content);
      warnOfProgramVariables(this, content);
    }
    if (path === null) {
      this.out.write(this.out.isTTY ? printable(content) : content);
      return;
    }
    await writeOutput(path, content, { mode: 0o600, force: flags.force });
    this.err.say(`${this.err.paint("green", this.symbols.done)} Written to ${path}, readable by you alone.`);
  }

  /** Reads a file. @returns a function that says what it would change, or changes it */
  async function importOf(context: Context, flags: DiffFlags, file: string) {
    const { console, place } = await connectToEnvironment(context, flags);
    const input = {
      environmentId: place.environment.id,
      kind,
      format: flags.format ?? formatOf(file),
      text: await readText(context, file),
      mode: flags.replace ? ("replace" as const) : ("merge" as const),
    };
    const send = (dryRun: boolean) =>
      withSecondFactor(context, console, () => console.command("apps/import-variables", { ...input, dryRun }));
    return { place, send };
  }

  async function diff(this: Context, flags: DiffFlags, file: string): Promise<void> {
    const { send } = await importOf(this, flags, file);
    describeChanges(this, await send(true));
  }

  async function push(this: Context, flags: PushFlags, file: string): Promise<void> {
    const { place, send } = await importOf(this, flags, file);
    await changeAfterPreview(this, { environment: place.environment.name, yes: flags.yes, send });
  }

  async function copy(this: Context, flags: CopyFlags, ...named: string[]): Promise<void> {
    const { console, place } = await connectToEnvironment(this, flags);
    const places = await findPlaces(console, { app: place.app.id, environment: flags.to });
    const [{ environment: target }, ...others] = places;
    if (others.length > 0) throw ambiguousFailure(places);
    const keys =
      named.length > 0 ? named : (await variablesOf(console, kind, place.environment.id)).map(({ key }) => key);
    if (keys.length === 0) throw usageFailure("There are no variables to copy.");
    const input = { fromEnvironmentId: place.environment.id, toEnvironmentId: target.id, kind, keys };
    const send = (dryRun: boolean) =>
      withSecondFactor(this, console, () => console.command("apps/copy-variables", { ...input, dryRun }));
    if (flags.dryRun) describeChanges(this, await send(true));
    else await changeAfterPreview(this, { environment: target.name, yes: flags.yes, send });
  }

  return { list, get, set, unset, pull, push, diff, copy };
}

/** Shows what would change in an environment, asks unless that is confirmed, and changes it. */
async function changeAfterPreview(
  context: Context,
  change: { environment: string; yes: boolean; send: (dryRun: boolean) => Promise<ImportResult> },
): Promise<void> {
  const { environment, yes, send } = change;
  const planned = await send(true);
  const isMade = yes && planned.errors.length === 0 && planned.changes.length > 0;
  if (!isMade) describeChanges(context, planned);
  if (planned.changes.length === 0) return;
  if (!yes) {
    if (!isInteractive(context)) throw usageFailure("Confirm the changes with --yes.");
    const { length } = planned.changes;
    const question = `Change ${length} ${length === 1 ? "variable" : "variables"} in ${environment}?`;
    if (!(await askToConfirm(context, printable(question)))) throw new Failure(EXIT.refused, "Nothing was changed.");
  }
  const { version } = await send(false);
  context.err.say(`${context.err.paint("green", context.symbols.done)} Configuration version ${version}.`);
  // At the end, as by `unset`.
  if (isMade) describeChanges(context, planned);
}

/** Reads a value from the terminal, where it is not shown, or from stdin. @param count how many values are read */
async function readValue(context: Context, key: string, count: number): Promise<string> {
  if (isInteractive(context)) return askForSecret(context, `Value of ${printable(key)}`);
  if (count > 1) throw usageFailure("Only one value can be read from stdin.");
  const value = (await readText(context, "-")).replace(/\r?\n$/, "");
  // In a job without stdin, the variable would become empty.
  if (value === "") throw usageFailure(`stdin has no value for ${key}.`);
  return value;
}
