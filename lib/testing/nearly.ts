import fc from "fast-check";
import { z } from "zod";

/** The JSON Schema keywords that inputs of operations use. */
interface Schema {
  type?: string;
  properties?: Record<string, Schema>;
  items?: Schema;
  anyOf?: Schema[];
  pattern?: string;
  maxLength?: number;
}

/** Values that violate a schema: other types, empty or oversized values, and texts that break parsers. */
const HOSTILE = fc.oneof(
  fc.constantFrom<unknown>(
    undefined,
    null,
    true,
    0,
    -1,
    1e308,
    "",
    " ",
    "\0",
    "\ud800",
    "__proto__",
    "=",
    "A",
    "{}",
    [],
    {},
  ),
  fc.constant({ __proto__: null, constructor: { prototype: {} }, toString: "x", length: -1 }),
  fc.string({ unit: "binary", maxLength: 40 }),
  fc.constant("A".repeat(70_000)),
  fc.array(fc.jsonValue({ maxDepth: 2 }), { maxLength: 3 }),
  fc.jsonValue({ maxDepth: 3 }),
);

function shaped(schema: Schema): fc.Arbitrary<unknown> {
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map(nearly));
  if (schema.properties) {
    const parts = Object.fromEntries(Object.entries(schema.properties).map(([name, part]) => [name, nearly(part)]));
    return fc.oneof(
      { weight: 9, arbitrary: fc.record(parts) },
      { weight: 1, arbitrary: fc.record(parts, { requiredKeys: [] }) },
    );
  }
  if (schema.items) return fc.array(nearly(schema.items), { maxLength: 4 });
  if (schema.type === "null") return fc.constant(null);
  if (schema.type !== "string") return HOSTILE;
  const maxLength = Math.min(schema.maxLength ?? 100, 400);
  return schema.pattern ? fc.stringMatching(new RegExp(schema.pattern), { maxLength }) : fc.string({ maxLength });
}

function nearly(schema: Schema): fc.Arbitrary<unknown> {
  return fc.oneof({ weight: 12, arbitrary: shaped(schema) }, { weight: 1, arbitrary: HOSTILE });
}

/** Generates inputs that mostly match a schema, with some invalid parts. */
export function nearlyValid(input: z.ZodType): fc.Arbitrary<unknown> {
  return nearly(z.toJSONSchema(input, { io: "input", unrepresentable: "any" }) as Schema);
}
