import { shellCommand, shellWord } from "@/lib/kernel/shell";
import type { DocumentedOperation } from "./operation-entry";
import type { Schema } from "./schema-rows";

const SAMPLE_ID = "019a4c1e-7b52-7c3a-9d58-2f6e1b0c4a77";
const SAMPLES: Readonly<Record<string, string>> = {
  uuid: SAMPLE_ID,
  email: "ada@example.com",
  "date-time": "2027-01-31T12:00:00.000Z",
  uri: "https://example.com",
  binary: "@app.ipa",
};
const MAX_DEPTH = 4;

/** A value that a schema describes, with the required fields of objects only. */
export function exampleOf(schema: Schema, name = "", depth = 0): unknown {
  if (schema.const !== undefined) return schema.const;
  if (schema.default !== undefined) return schema.default;
  if (schema.enum) return schema.enum[0];
  const branch = schema.anyOf?.[0] ?? schema.oneOf?.[0];
  if (branch) return exampleOf(branch, name, depth);
  if (schema.properties) {
    if (depth > MAX_DEPTH) return {};
    const required = Object.entries(schema.properties).filter(([key]) => schema.required?.includes(key));
    return Object.fromEntries(required.map(([key, field]) => [key, exampleOf(field, key, depth + 1)]));
  }
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  if (type === "array") return schema.items ? [exampleOf(schema.items, name, depth + 1)] : [];
  if (type === "integer" || type === "number") return 1;
  if (type === "boolean") return true;
  if (type === "object") return {};
  return SAMPLES[schema.format ?? ""] ?? (name || "text");
}

/** The fields of a schema that a call needs, as text. */
function fieldsOf(schema: Schema): [name: string, value: string][] {
  const value = exampleOf(schema);
  return Object.entries((value ?? {}) as Record<string, unknown>).map(([name, field]) => [
    name,
    typeof field === "string" ? field : JSON.stringify(field),
  ]);
}

/** A shell command that calls an operation with what it requires. */
export function exampleCall(
  {
    path,
    method,
    parameters,
    bodies,
    open,
  }: Pick<DocumentedOperation, "path" | "method" | "parameters" | "bodies" | "open">,
  origin: string,
): string {
  const required = parameters.filter((parameter) => parameter.required);
  const query = new URLSearchParams(
    required
      .filter(({ place }) => place === "query")
      .map(({ name, schema }) => [name, String(exampleOf(schema, name))]),
  );
  const [body] = bodies;
  const url = `${origin}${path}${query.size > 0 ? `?${query}` : ""}`;
  const isForm = body?.contentType === "multipart/form-data";
  return shellCommand(
    `curl --fail-with-body ${method === "GET" || isForm ? "" : `-X ${method} `}${shellWord(url)}`,
    ...(open ? [] : [`-H "Authorization: Bearer $SLIPWAY_TOKEN"`]),
    ...required
      .filter(({ place }) => place === "header")
      .map(({ name, schema }) => `-H ${shellWord(`${name}: ${exampleOf(schema, name)}`)}`),
    ...(isForm
      ? fieldsOf(body.schema).map(([name, value]) =>
          value.startsWith("@")
            ? `-F ${shellWord(`${name}=${value}`)}`
            : `--form-string ${shellWord(`${name}=${value}`)}`,
        )
      : body?.contentType === "application/json"
        ? [`--json ${shellWord(JSON.stringify(exampleOf(body.schema)))}`]
        : []),
  );
}
