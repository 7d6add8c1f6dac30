import "server-only";
import { z } from "zod";

interface Checked {
  /** The schema that the part fits. */
  schema: z.ZodType;
  json: string;
}

const checkedParts = new WeakMap<object, Checked>();

function freeze(value: unknown): void {
  if (typeof value !== "object" || value === null) return;
  for (const inner of Object.values(value)) freeze(inner);
  Object.freeze(value);
}

/**
 * Checks a part of outputs that is sent repeatedly, such as a row of a list, and writes it as JSON. `checkOutput` and
 * `outputJson` do not repeat this for lists of such parts. The part is frozen.
 * @returns the part as the schema gives it, and its JSON
 * @throws ZodError if it does not fit
 */
export function checkPart<Schema extends z.ZodType<object>>(
  schema: Schema,
  input: z.input<Schema>,
): { part: z.output<Schema>; json: string } {
  const part = schema.parse(input);
  freeze(part);
  const json = JSON.stringify(part);
  checkedParts.set(part, { schema, json });
  return { part, json };
}

function hasRefinements(schema: z.ZodType): boolean {
  return (schema.def.checks?.length ?? 0) > 0;
}

/** Whether a value is a list of parts that were checked by the schema which `declared` has for its items. */
function isCheckedList(declared: unknown, value: unknown): boolean {
  return (
    declared instanceof z.ZodArray &&
    !hasRefinements(declared) &&
    Array.isArray(value) &&
    value.length > 0 &&
    value.every((item) => checkedParts.get(item)?.schema === declared.element)
  );
}

/**
 * Checks the output of an operation. In an object, a list of parts that the schema of the list's items has checked is not checked
 * again; everything else is.
 * @throws ZodError if it does not fit
 */
export function checkOutput(schema: z.ZodType, output: unknown): unknown {
  if (!(schema instanceof z.ZodObject) || hasRefinements(schema) || typeof output !== "object" || output === null) {
    return schema.parse(output);
  }
  const lists = Object.entries(output).filter(([name, value]) => isCheckedList(schema.shape[name], value));
  if (lists.length === 0) return schema.parse(output);
  const empty = Object.fromEntries(lists.map(([name]) => [name, []]));
  return { ...schema.parse({ ...output, ...empty }), ...Object.fromEntries(lists) };
}

/** The JSON of a list of checked parts; undefined for any other value. */
function partsJson(value: unknown): string | undefined {
  if (!Array.isArray(value) || value.length === 0) return undefined;
  const texts = value.map((item) => checkedParts.get(item)?.json);
  return texts.includes(undefined) ? undefined : `[${texts.join(",")}]`;
}

/** Writes the output of an operation as JSON: the same text as `JSON.stringify`. */
export function outputJson(output: unknown): string {
  if (typeof output !== "object" || output === null || Array.isArray(output)) return JSON.stringify(output);
  const members = Object.entries(output).map(([name, value]) => ({ name, value, json: partsJson(value) }));
  if (members.every(({ json }) => json === undefined)) return JSON.stringify(output);
  const texts = members
    .filter(({ value }) => value !== undefined)
    .map(({ name, value, json }) => `${JSON.stringify(name)}:${json ?? JSON.stringify(value)}`);
  return `{${texts.join(",")}}`;
}
