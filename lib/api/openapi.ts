import "server-only";
import { createHash } from "node:crypto";
import { z } from "zod";
import { namesEtag } from "@/lib/http/range";
import type { BinaryReply } from "@/lib/http/reply";
import type { RouteRequest } from "@/lib/http/routes";
import { ERROR_STATUS, type ErrorCode } from "@/lib/kernel/errors";
import { AUDIT_PREFIX, auditEventData, EVENT_DATA } from "@/lib/kernel/events";
import type { Locale } from "@/lib/kernel/i18n/locales";
import { type Access, admitsTokens, admitsUsers, isOpen } from "@/lib/permissions/authorize";
import { isSigned, type JsonOperation, type Operation, operationId, pathOf, takesJson } from "./operation";
import { operationInWords } from "./operation-words";

type Json = Record<string, unknown>;

/** The language of `/api/openapi.json`: tools read it, and one document can be cached for everybody. */
const DOCUMENT_LOCALE = "en";

/** The codes that every operation may answer. */
const ALWAYS = [
  "invalid_request",
  "request_timeout",
  "validation_failed",
  "rate_limited",
  "headers_too_large",
  "unavailable",
  "storage_full",
  "unexpected",
] as const;

/** The codes that the access to an operation brings. */
function accessErrors({ access, target, secondFactor }: Operation): ErrorCode[] {
  if (typeof access === "object" && "link" in access) return ["invalid_token", "link_expired"];
  const codes: ErrorCode[] = target ? ["not_found"] : [];
  if (access === "public") return codes;
  codes.push("not_authenticated", "session_expired", "invalid_token", "forbidden");
  if (access !== "partial-session" || secondFactor) codes.push("two_factor_required");
  const needsFactor = secondFactor === "enrolled" || secondFactor === "recent";
  return needsFactor ? [...codes, "two_factor_enrollment_required"] : codes;
}

/** The codes that an operation may answer: its own, and those that its access, input and transport bring. */
export function errorCodes(operation: Operation): ErrorCode[] {
  const codes = new Set<ErrorCode>([...operation.errors, ...ALWAYS, ...accessErrors(operation)]);
  if (operation.kind === "command" && operation.file) codes.add("too_many_uploads");
  if (takesJson(operation)) {
    for (const code of ["invalid_json", "file_too_large", "unsupported_media_type", "cross_origin"] as const) {
      codes.add(code);
    }
  }
  if (operation.kind === "raw-upload") codes.add("cross_origin");
  return [...codes].sort();
}

/** Describes pairs as arrays of two: many validators and generators do not know `prefixItems`. */
function withoutTuples({ zodSchema, jsonSchema }: { zodSchema: z.core.$ZodTypes; jsonSchema: Json }): void {
  if (zodSchema._zod.def.type !== "tuple" || !Array.isArray(jsonSchema.prefixItems)) return;
  const { prefixItems, items: _rest, ...array } = jsonSchema;
  const kinds = [...new Set(prefixItems.map((item) => JSON.stringify(item)))].map((item) => JSON.parse(item) as Json);
  for (const key of Object.keys(jsonSchema)) delete jsonSchema[key];
  const { length } = prefixItems;
  Object.assign(jsonSchema, array, { items: kinds.length === 1 ? kinds[0] : { anyOf: kinds } });
  Object.assign(jsonSchema, { minItems: length, maxItems: length });
}

/**
 * A side of an operation as JSON Schema. The definitions of schemas that contain themselves join the document's own:
 * references are looked up from the root of the document and not from the schema's.
 */
function jsonSchema(schema: z.ZodType, side: { of: Operation; io: "input" | "output" }, schemas: Json): Json {
  const options = { io: side.io, unrepresentable: "any", override: withoutTuples } as const;
  const { $schema: _dialect, $defs = {}, ...rest } = z.toJSONSchema(schema, options) as Json;
  const prefix = `${operationId(side.of)}.${side.io}.`;
  const moved = (part: unknown): Json =>
    JSON.parse(JSON.stringify(part).replaceAll('"$ref":"#/$defs/', `"$ref":"#/components/schemas/${prefix}`));
  for (const [key, definition] of Object.entries($defs as Json)) schemas[prefix + key] = moved(definition);
  return moved(rest);
}

function parameters(operation: Operation, schemas: Json): Json[] {
  const { properties = {}, required = [] } = jsonSchema(operation.input, { of: operation, io: "input" }, schemas) as {
    properties?: Record<string, Json>;
    required?: string[];
  };
  const query = Object.entries(properties).map(([name, schema]) => ({
    name,
    in: "query",
    required: required.includes(name),
    schema,
  }));
  return isSigned(operation) ? [...query, ...SIGNED_REQUEST] : query;
}

/** The headers with which a client asks for a signed answer. */
const SIGNED_REQUEST: Json[] = [
  ["X-App-Identifier", "The Android signing SHA-256 or iOS bundle ID of the app. Servers need none."],
  ["X-Nonce", "Repeated in the signature: 1 to 128 letters, digits and `._~+/=-`."],
  ["If-None-Match", "The `ETag` of the answer that the client has."],
].map(([name, description]) => ({
  name,
  in: "header",
  required: false,
  description,
  schema: { type: "string" },
}));

const SIGNATURE: Json = {
  description: "A detached JWS (RFC 7515, appendix F; RFC 7797, `b64: false`) by Ed25519 over the body",
  schema: { type: "string" },
};
const SIGNED_ANSWER: Json = {
  "X-Signature": SIGNATURE,
  ETag: { description: "A strong entity tag of the body", schema: { type: "string" } },
};

function requestBody(operation: JsonOperation, schemas: Json): Json {
  const schema = jsonSchema(operation.input, { of: operation, io: "input" }, schemas);
  // No body at all counts as an empty object.
  const required = !operation.input.safeParse({}).success;
  if (operation.kind !== "command" || !operation.file) return { required, content: { "application/json": { schema } } };
  const { field } = operation.file;
  const { properties = {}, required: names = [] } = schema as { properties?: Json; required?: string[] };
  const { [field]: _file, ...fields } = properties;
  const form = {
    ...schema,
    properties: { ...fields, [field]: { type: "string", format: "binary" } },
    required: [...new Set([...names, field])],
  };
  const json = names.includes(field) ? {} : { "application/json": { schema: { ...schema, properties: fields } } };
  return { required, content: { "multipart/form-data": { schema: form }, ...json } };
}

function bytesOf(contentTypes: readonly string[]): Json {
  return Object.fromEntries(contentTypes.map((type) => [type, { schema: { type: "string", format: "binary" } }]));
}

/** The content of a whole file. Validators parse JSON, whatever its schema says; a part of it is not JSON. */
function fileOf(contentTypes: readonly string[]): Json {
  return {
    ...bytesOf(contentTypes),
    ...(contentTypes.includes("application/json") && { "application/json": { schema: {} } }),
  };
}

/** How a file's conditions and ranges are answered (RFC 9110, sections 13 and 14). */
const DOWNLOAD_WITHOUT_BYTES: Json = {
  "302": { description: "The bytes are at the `Location`, for at most 5 minutes" },
  "304": { description: "What the caller has is still right" },
  "412": { description: "A condition of the request does not hold" },
  "416": { description: "The file does not hold the range" },
};

function success(operation: Operation, schemas: Json): Json {
  if (operation.kind === "download") {
    return {
      "200": { description: "The bytes", content: fileOf(operation.contentTypes) },
      "206": { description: "The range", content: bytesOf(operation.contentTypes) },
      ...DOWNLOAD_WITHOUT_BYTES,
    };
  }
  const status = operation.kind === "command" ? operation.status : 200;
  if (status === 204) return { "204": { description: "Done" } };
  const content = {
    "application/json": { schema: jsonSchema(operation.output, { of: operation, io: "output" }, schemas) },
    ...(operation.kind === "query" && operation.asFile && bytesOf(operation.asFile.contentTypes)),
  };
  if (isSigned(operation)) {
    return {
      "200": { description: "Done", headers: SIGNED_ANSWER, content },
      "304": { description: "The answer that the client has is current", headers: SIGNED_ANSWER },
    };
  }
  return {
    [status]: { description: "Done", content },
    ...(operation.kind === "command" &&
      operation.repeatable && { "200": { description: "It was done before", content } }),
  };
}

function failures(operation: Operation): Json {
  const byStatus = Map.groupBy(errorCodes(operation), (code) => ERROR_STATUS[code]);
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => [
      String(status),
      {
        description: codes.map((code) => `\`${code}\``).join(", "),
        ...(isSigned(operation) && { headers: { "X-Signature": SIGNATURE } }),
        content: PROBLEM_CONTENT,
      },
    ]),
  );
}

const PROBLEM_CONTENT = { "application/problem+json": { schema: { $ref: "#/components/schemas/Problem" } } };

/** What a caller presents. A command-line tool's session counts as a session, also where it comes as a bearer. */
function security(access: Access): Json[] {
  if (isOpen(access)) return [];
  if (!admitsUsers(access)) return [{ token: [] }];
  return admitsTokens(access) ? [{ session: [] }, { token: [] }] : [{ session: [] }];
}

function entry(operation: Operation, schemas: Json, locale: Locale): Json {
  return {
    operationId: operationId(operation),
    ...operationInWords(operation, locale),
    tags: [operation.area],
    security: security(operation.access),
    ...(takesJson(operation)
      ? { requestBody: requestBody(operation, schemas) }
      : { parameters: parameters(operation, schemas) }),
    ...(operation.kind === "raw-upload" && {
      requestBody: {
        required: true,
        content: { "application/octet-stream": { schema: { type: "string", format: "binary" } } },
      },
    }),
    responses: {
      ...success(operation, schemas),
      ...failures(operation),
      "431": { $ref: "#/components/responses/HeadersTooLarge" },
    },
  };
}

/** Headers of each request to a webhook, by Standard Webhooks. */
const WEBHOOK_HEADERS: Json[] = [
  ["webhook-id", "Of the message, the same for each try."],
  ["webhook-timestamp", "When it is sent, in Unix seconds."],
  [
    "webhook-signature",
    "`v1,` and the HMAC-SHA256 in Base64; several, separated by spaces, for a day after a rotation.",
  ],
].map(([name, description]) => ({ name, in: "header", required: true, description, schema: { type: "string" } }));

/** The requests that webhooks in the format `standard` receive, by the type of event. */
function webhooks(): Json {
  const ofType = (type: Json, data: z.ZodType, name: string): Json => {
    const { $schema: _dialect, ...schema } = z.toJSONSchema(data, { io: "output" }) as Json;
    const timestamp = { type: "string", format: "date-time" };
    const body = {
      type: "object",
      required: ["type", "timestamp", "data"],
      properties: { type, timestamp, data: schema },
    };
    return {
      post: {
        operationId: `webhook-${name}`,
        summary: `The event ${name}`,
        parameters: WEBHOOK_HEADERS,
        requestBody: { required: true, content: { "application/json": { schema: body } } },
        responses: { "2XX": { description: "The receiver has accepted the event" } },
      },
    };
  };
  const emitted = Object.entries(EVENT_DATA).map(([type, data]) => [type, ofType({ const: type }, data, type)]);
  const action = `${AUDIT_PREFIX}action`;
  const pattern = { type: "string", pattern: "^audit\\.[a-z][a-z0-9-]*$" };
  return Object.fromEntries([...emitted, [action, ofType(pattern, auditEventData, action)]]);
}

const PROBLEM = {
  type: "object",
  required: ["type", "title", "status", "code", "detail", "requestId"],
  properties: {
    type: { type: "string" },
    title: { type: "string" },
    status: { type: "integer" },
    code: { type: "string", enum: Object.keys(ERROR_STATUS) },
    detail: { type: "string" },
    errors: {
      type: "array",
      items: {
        type: "object",
        required: ["path", "code", "message"],
        properties: { path: { type: "string" }, code: { type: "string" }, message: { type: "string" } },
      },
    },
    requestId: { type: "string" },
  },
};

/**
 * The OpenAPI 3.1 document of a list of operations.
 * @param operations by the path below /api
 * @param server the console's public address
 * @param locale the language of the summaries and descriptions of the operations
 */
export function openApiDocument(
  operations: Record<string, Operation>,
  server: string,
  locale: Locale = DOCUMENT_LOCALE,
): Json {
  const schemas: Json = { Problem: PROBLEM };
  const paths = Object.fromEntries(
    Object.values(operations).map((operation) => [
      pathOf(operation),
      { [operation.method.toLowerCase()]: entry(operation, schemas, locale) },
    ]),
  );
  return {
    openapi: "3.1.0",
    info: { title: "Slipway", version: "1", description: "Distribution of mobile test releases." },
    servers: [{ url: server }],
    paths,
    webhooks: webhooks(),
    components: {
      schemas,
      responses: {
        HeadersTooLarge: {
          description: "The address and the headers together exceed 16 KiB",
          content: PROBLEM_CONTENT,
        },
      },
      securitySchemes: {
        session: {
          type: "apiKey",
          in: "cookie",
          name: server.startsWith("https:") ? "__Host-slipway-session" : "slipway-session",
          description: "A session. A command-line tool sends it as `Authorization: Bearer` instead.",
        },
        token: { type: "http", scheme: "bearer", description: "An API token." },
      },
    },
  };
}

/** Half a megabyte each; a client that has it asks whether it has changed. */
export const OPENAPI_LIMIT = { name: "openapi", points: 30, seconds: 60 };

/**
 * What answers the document: it is made at the first request, and a caller who has it already is told so.
 * @param server the console's public address, asked for with the first request
 */
export function openApiReader(
  operations: Record<string, Operation>,
  server: () => string,
): (request: RouteRequest) => BinaryReply {
  let file: { bytes: Uint8Array<ArrayBuffer>; etag: string } | undefined;
  return (request) => {
    if (!file) {
      const bytes = new TextEncoder().encode(JSON.stringify(openApiDocument(operations, server())));
      file = { bytes, etag: `"${createHash("sha256").update(bytes).digest("base64url")}"` };
    }
    const { bytes, etag } = file;
    // A weak tag, for what is sent may be compressed on its way.
    const headers = { "Cache-Control": "no-cache", ETag: `W/${etag}` };
    if (namesEtag(request.headers.get("if-none-match") ?? "", etag, "weak")) {
      return { status: 304, headers, body: null };
    }
    return { status: 200, headers: { ...headers, "Content-Type": "application/json" }, body: bytes };
  };
}
