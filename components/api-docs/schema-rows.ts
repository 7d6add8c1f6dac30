/** A JSON Schema fragment of the OpenAPI document. */
export interface Schema {
  type?: string | string[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  enum?: unknown[];
  const?: unknown;
  anyOf?: Schema[];
  oneOf?: Schema[];
  format?: string;
  default?: unknown;
  additionalProperties?: Schema | boolean;
  maxLength?: number;
}

/** One row of a schema's table: a field with its dotted name. */
interface SchemaRow {
  name: string;
  type: string;
  required: boolean;
}

const MAX_DEPTH = 4;

/** A schema's type as short text: `string (uuid)`, `string[]`, `"active" | "inactive"`. */
export function typeInWords(schema: Schema): string {
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  const union = schema.anyOf ?? schema.oneOf;
  if (union) return [...new Set(union.map(typeInWords))].join(" | ");
  if (schema.type === "array") return `${schema.items ? typeInWords(schema.items) : "any"}[]`;
  const type = Array.isArray(schema.type) ? schema.type.join(" | ") : (schema.type ?? "any");
  return schema.format && schema.format !== "binary" ? `${type} (${schema.format})` : (schema.format ?? type);
}

function objectIn(schema: Schema): Schema | undefined {
  if (schema.properties) return schema;
  if (schema.items) return objectIn(schema.items);
  for (const branch of schema.anyOf ?? schema.oneOf ?? []) {
    const found = objectIn(branch);
    if (found) return found;
  }
  return undefined;
}

/** The fields of an object schema, with nested fields under dotted names. */
export function schemaRows(schema: Schema, prefix = "", depth = 0): SchemaRow[] {
  const object = objectIn(schema);
  if (!object?.properties || depth > MAX_DEPTH) return [];
  return Object.entries(object.properties).flatMap(([key, field]) => {
    const name = prefix ? `${prefix}.${key}` : key;
    const nested = objectIn(field);
    const type = nested ? (field.type === "array" ? "object[]" : "object") : typeInWords(field);
    return [{ name, type, required: object.required?.includes(key) ?? false }, ...schemaRows(field, name, depth + 1)];
  });
}
