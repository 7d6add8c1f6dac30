import { Readable } from "node:stream";
import { beforeAll, beforeEach, describe, expect, expectTypeOf, it, vi } from "vitest";
import { z } from "zod";
import { db } from "@/lib/db/client";
import { ApiError } from "@/lib/kernel/errors";
import { anApp, aToken, aUser, auditCount, send, sendRaw, type TestUser } from "@/lib/testing/console";
import { fillDisk, makeRoom } from "@/lib/testing/full-disk";
import { setUpTestDatabase } from "@/scripts/test-database";
import type { call } from "./call";
import { openApiDocument } from "./openapi";
import { defineDownload, defineQuery } from "./operation";

const SECRET = "a-secret-of-the-row";

const input = z.strictObject({ environmentId: z.string(), known: z.literal("true").optional() });
const audit = { table: "SecureVariable", action: "reveal" };

const target = async ({ environmentId }: z.output<typeof input>) => {
  const row = await db.environment.findUnique({ where: { id: environmentId } });
  return row && { appId: row.appId, environmentId, active: true };
};

const getSecret = defineQuery({
  area: "apps",
  name: "get-secure-variable",
  summary: "Reveal a secret",
  access: "secure-variable:read",
  input,
  output: z.object({ value: z.string() }),
  errors: [],
  audit,
  target,
  handler: async ({ input: { environmentId, known } }) => ({
    output: { value: known ? "" : SECRET },
    audit: known ? null : { recordId: environmentId, changes: {} },
  }),
});

let body: Readable;

const downloadSecret = defineDownload({
  area: "apps",
  name: "get-secure-certificate",
  summary: "Download a secret",
  access: "secure-variable:read",
  input,
  contentTypes: ["text/plain"],
  errors: [],
  audit,
  target,
  handler: async ({ input: { environmentId, known } }) => {
    body = Readable.from([Buffer.from(SECRET)]);
    const headers = { "Content-Type": "text/plain", ETag: '"1"', "Cache-Control": "private" };
    return known
      ? { output: { status: 304, headers, body: null }, audit: null }
      : { output: { status: 200, headers, body }, audit: { recordId: environmentId, changes: {} } };
  },
});

const reads = [
  ["query", getSecret],
  ["download", downloadSecret],
] as const;

setUpTestDatabase();

let place: { appId: string; environmentId: string };
let reader: TestUser;

beforeAll(async () => {
  const { appId, environmentIds } = await anApp();
  place = { appId, environmentId: environmentIds[0] as string };
});

beforeEach(async () => {
  reader = await aUser({ grants: [{ scopes: ["secure-variable:read"] }] });
});

describe.each(reads)("a %s that reveals a secret", (_, operation) => {
  /** Has something happen once the handler has read the secret and before its record is written. */
  function afterHandler(event: () => Promise<unknown>): void {
    const { handler } = operation;
    vi.spyOn(operation, "handler").mockImplementationOnce(async (context: unknown) => {
      const answer = await handler(context as never);
      await event();
      return answer as never;
    });
  }

  it("is recorded before its answer, with who read what", async () => {
    const before = await auditCount();
    const answer = await sendRaw(operation, reader, { environmentId: place.environmentId });
    expect(await auditCount()).toBe(before + 1);
    expect(await answer.text()).toContain(SECRET);
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(await db.auditRecord.findFirst({ orderBy: { id: "desc" } })).toMatchObject({
      userId: reader.userId,
      table: "SecureVariable",
      action: "reveal",
      recordId: place.environmentId,
      changes: {},
      requestId: answer.headers.get("x-request-id"),
    });
  });

  it("is recorded for an API token as its", async () => {
    const token = await aToken({ ...place, scopes: ["secure-variable:read"] });
    expect((await send(operation, token, { environmentId: place.environmentId })).status).toBe(200);
    expect(await db.auditRecord.findFirst({ orderBy: { id: "desc" } })).toMatchObject({
      userId: null,
      tokenId: token.tokenId,
    });
  });

  it("is not recorded where it reveals nothing", async () => {
    const before = await auditCount();
    const answer = await send(operation, reader, { environmentId: place.environmentId, known: "true" });
    expect([answer.status, answer.headers.get("cache-control")]).toEqual([
      operation.kind === "query" ? 200 : 304,
      "no-store",
    ]);
    expect(await auditCount()).toBe(before);
  });

  it("is refused without a record to a caller without the right", async () => {
    const before = await auditCount();
    expect((await send(operation, await aUser(), { environmentId: place.environmentId })).status).toBe(404);
    expect(await auditCount()).toBe(before);
  });

  it("answers nothing where its record cannot be written", async () => {
    await fillDisk();
    const answer = await send(operation, reader, { environmentId: place.environmentId });
    await makeRoom();
    expect([answer.status, answer.body.code]).toEqual([507, "storage_full"]);
    expect(JSON.stringify(answer.body)).not.toContain(SECRET);
    if (operation.kind === "download") expect(body.destroyed).toBe(true);
  });

  it.each([
    ["signed out", "session_expired", () => db.session.deleteMany({ where: { userId: reader.userId } })],
    [
      "relieved of the right",
      "not_found",
      () => db.rolePermission.deleteMany({ where: { role: { users: { some: { id: reader.userId } } } } }),
    ],
  ])("answers nothing, and is not recorded, where its caller was %s while it ran", async (_how, code, event) => {
    afterHandler(event);
    const before = await auditCount();
    const answer = await send(operation, reader, { environmentId: place.environmentId });
    expect(answer.body.code).toBe(code);
    expect(await auditCount()).toBe(before);
  });

  it("says in the OpenAPI document that it is recorded", () => {
    const { paths } = openApiDocument({ secret: operation }, "https://slipway.example") as {
      paths: Record<string, { get: { description: string } }>;
    };
    expect(Object.values(paths)[0]?.get.description).toContain("The audit log records each call.");
  });
});

it("answers nothing and records nothing where the output does not fit its schema", async () => {
  vi.spyOn(getSecret, "handler").mockResolvedValueOnce({
    output: { value: 7 as never },
    audit: { recordId: null, changes: {} },
  });
  const before = await auditCount();
  expect((await send(getSecret, reader, { environmentId: place.environmentId })).status).toBe(500);
  expect(await auditCount()).toBe(before);
});

it("runs no work after an answer that was not given", async () => {
  const work = vi.fn(async () => {});
  const { handler } = getSecret;
  vi.spyOn(getSecret, "handler").mockImplementationOnce(async (context) => {
    context.after(work);
    await db.session.deleteMany({ where: { userId: reader.userId } });
    return handler(context);
  });
  expect((await send(getSecret, reader, { environmentId: place.environmentId })).status).toBe(401);
  expect(work).not.toHaveBeenCalled();
});

const common = {
  area: "apps",
  name: "get-value",
  summary: "Get a value",
  access: "user",
  input: z.strictObject({}),
  output: z.object({ value: z.string() }),
  errors: [],
} as const;

it("is typed by its declaration: an audited read says what it recorded, and no page runs one", () => {
  expectTypeOf(getSecret.handler).returns.resolves.toHaveProperty("audit");
  const plain = defineQuery({ ...common, handler: async () => ({ value: "" }) });
  expectTypeOf(plain.handler).returns.resolves.toEqualTypeOf<{ value: string }>();
  // @ts-expect-error: the record is missing
  defineQuery({ ...common, audit, handler: async () => ({ value: "" }) });
  const file = { contentTypes: [], reply: () => null };
  // @ts-expect-error: a file would be answered without a record
  defineQuery({ ...common, audit, asFile: file, handler: async () => ({ output: { value: "" }, audit: null }) });
  expectTypeOf<typeof call>().toBeCallableWith(plain, {});
  // @ts-expect-error: a page is rendered ahead
  expectTypeOf<typeof call>().toBeCallableWith(getSecret, { environmentId: "" });
});

describe("a stack trace", () => {
  it("names the operation in which something failed", async () => {
    const fail = async () => {
      throw new ApiError("conflict");
    };
    const failing = defineQuery({
      ...common,
      name: "get-broken-value",
      target: async () => fail(),
      handler: async () => fail(),
    });
    const stackOf = async (run: () => Promise<unknown>) => run().catch((error: Error) => error.stack);
    expect(await stackOf(() => failing.handler({} as never))).toMatch(/at .*getBrokenValue\b(?!\.)/);
    expect(await stackOf(async () => failing.target?.({}, db, {} as never, {} as never))).toMatch(
      /at .*getBrokenValue\.target/,
    );
  });
});
