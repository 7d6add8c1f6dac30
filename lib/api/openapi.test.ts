import { beforeAll, describe, expect, it, vi } from "vitest";
import { db } from "@/lib/db/client";
import { toResponse } from "@/lib/http/reply";
import { operations } from "@/lib/operations";
import { isOpen } from "@/lib/permissions/authorize";
import { SCOPES } from "@/lib/permissions/scopes";
import { anApp, aToken, aUser, type Caller, send } from "@/lib/testing/console";
import { serveOperations } from "@/lib/testing/server";
import { setUpTestDatabase } from "@/scripts/test-database";
import { OPENAPI_LIMIT, openApiDocument, openApiReader } from "./openapi";
import { type Operation, pathOf } from "./operation";
import { plainRoute } from "./route";

setUpTestDatabase();

interface Entry {
  security: Record<string, []>[];
  requestBody?: { required: boolean };
  responses: Record<string, { $ref?: string }>;
}

const all = Object.values(operations as Record<string, Operation>);
const server = "https://slipway.example";
const { paths } = openApiDocument(operations, server) as { paths: Record<string, Record<string, Entry>> };
const entryOf = (operation: Operation) => paths[pathOf(operation)]?.[operation.method.toLowerCase()] as Entry;

/** Yields the regular expressions of a schema. */
function* patternsOf(schema: unknown): Generator<string, void> {
  if (typeof schema !== "object" || schema === null) return;
  const { pattern, patternProperties } = schema as { pattern?: unknown; patternProperties?: object };
  if (typeof pattern === "string") yield pattern;
  yield* Object.keys(patternProperties ?? {});
  for (const part of Object.values(schema)) yield* patternsOf(part);
}

describe("a pattern of the document", () => {
  const patterns = [...new Set(patternsOf(openApiDocument(operations, server)))];
  /** What ECMA-262 has and the regular expressions of Python, Go or Java lack or write in another way. */
  const ECMA_ONLY = /\\[pPck]|\\u\{|\(\?<(?![=!])|\[\^?\]|\(\?[a-z-]+:/;

  it.each(patterns)("%s compiles as JSON Schema has it, and in other languages", (pattern) => {
    expect(() => new RegExp(pattern, "u")).not.toThrow();
    expect(pattern).not.toMatch(ECMA_ONLY);
  });
});

/** Yields the parts of a schema with their places. */
function* partsOf(schema: unknown, at = "#"): Generator<{ at: string; part: Record<string, unknown> }, void> {
  if (typeof schema !== "object" || schema === null) return;
  yield { at, part: schema as Record<string, unknown> };
  for (const [key, part] of Object.entries(schema)) yield* partsOf(part, `${at}/${key.replaceAll("/", "~1")}`);
}

it("the document describes pairs without keywords that generators of code and of requests do not know", () => {
  const places = [...partsOf(openApiDocument(operations, server))];
  expect(places.filter(({ part }) => "prefixItems" in part || part.items === false).map(({ at }) => at)).toEqual([]);
  const pairs = places.filter(({ at }) => /get-audit-logs?\/.*\/changes\/additionalProperties$/.test(at));
  expect(pairs.map(({ part }) => part)).toEqual(
    Array.from({ length: 2 }, () => ({ type: "array", items: {}, minItems: 2, maxItems: 2 })),
  );
});

it("the document describes a whole file of JSON as JSON, and a part of one as bytes", () => {
  const responses = paths["/api/apps/export-variables"]?.get?.responses as
    | Record<string, { content: Record<string, { schema: object }> }>
    | undefined;
  const bytes = { type: "string", format: "binary" };
  expect(responses?.["200"]?.content["application/json"]?.schema).toEqual({});
  expect(responses?.["200"]?.content["application/yaml"]?.schema).toEqual(bytes);
  expect(responses?.["206"]?.content["application/json"]?.schema).toEqual(bytes);
});

describe("the document", () => {
  let token: Caller;

  beforeAll(async () => {
    const app = await anApp();
    const environmentId = app.environmentIds[0] as string;
    token = await aToken({ appId: app.appId, environmentId, scopes: [...SCOPES] });
  });

  const commands = all
    .filter(({ kind }) => kind === "command")
    .map((operation) => [operation.name, operation] as const);

  it.each(commands)("says of %s whether its body may be left out", async (_name, operation) => {
    const { status, body } = await send(operation, await aUser({ admin: true }), "", {
      headers: { "content-type": "" },
    });
    const refused = status === 422 && body.code === "validation_failed";
    expect([entryOf(operation).requestBody?.required, status]).toEqual([refused, status]);
  });

  const guarded = all.filter(({ access }) => !isOpen(access)).map((operation) => [operation.name, operation] as const);

  it.each(guarded)("offers an API token for %s only where it takes one", async (_name, operation) => {
    const { body } = await send(operation, token, {});
    const offered = entryOf(operation).security.some((scheme) => "token" in scheme);
    expect([offered, body.code]).toEqual([body.code !== "forbidden", body.code]);
  });

  it("describes what is answered to headers that are too large once, for every operation", async () => {
    for (const operation of all) {
      expect(entryOf(operation).responses["431"]).toEqual({ $ref: "#/components/responses/HeadersTooLarge" });
    }
    const { components } = openApiDocument(operations, server) as { components: { responses: object } };
    expect(Object.keys(components.responses)).toEqual(["HeadersTooLarge"]);
    const running = await serveOperations([operations["config/get-app-config"]]);
    const answer = await fetch(`${running.url}/api/config/get-app-config?${"x".repeat(16 * 1024)}`);
    expect([answer.status, answer.headers.get("content-type")]).toEqual([431, "application/problem+json"]);
    expect(await answer.json()).toMatchObject({ status: 431, code: "headers_too_large" });
    await running.close();
  });
});

describe("the document's address", () => {
  const address = vi.fn(() => server);
  const handler = plainRoute(openApiReader(operations, address), OPENAPI_LIMIT);
  const ask = async (headers: Record<string, string> = {}, method: "GET" | "HEAD" = "GET") => {
    const request = new Request(`${server}/api/openapi.json`, { method, headers });
    return toResponse(await handler(request), request);
  };

  it("makes it at the first request, and once", async () => {
    expect(address).not.toHaveBeenCalled();
    const [first, second] = [await ask(), await ask()];
    expect(await first.json()).toEqual(openApiDocument(operations, server));
    expect(await second.text()).toBe(JSON.stringify(openApiDocument(operations, server)));
    expect(address).toHaveBeenCalledTimes(1);
    expect(first.headers.get("content-type")).toBe("application/json");
  });

  it("answers 304 without a body to who has it", async () => {
    const etag = (await ask()).headers.get("etag") as string;
    expect(etag).toMatch(/^W\/"[\w-]{43}"$/);
    for (const value of [etag, etag.slice(2), `"other", ${etag}`, "*"]) {
      const answer = await ask({ "if-none-match": value });
      expect([answer.status, answer.headers.get("etag"), await answer.text()]).toEqual([304, etag, ""]);
    }
    for (const value of ['"other"', "", 'W/"x"']) expect((await ask({ "if-none-match": value })).status).toBe(200);
    const head = await ask({}, "HEAD");
    expect([head.status, head.headers.get("etag"), await head.text()]).toEqual([200, etag, ""]);
  });

  it("answers each network 30 times a minute", async () => {
    await db.rateLimit.deleteMany();
    const from = (address: string) => ({ "x-slipway-remote-address": address });
    expect((await ask(from("192.0.2.1"))).status).toBe(200);
    await db.rateLimit.updateMany({ data: { points: 30 } });
    const refused = await ask(from("192.0.2.1"));
    expect([refused.status, Number(refused.headers.get("retry-after"))]).toEqual([429, expect.any(Number)]);
    expect((await ask(from("192.0.2.2"))).status).toBe(200);
  });
});
