import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { errorCodes, openApiDocument } from "@/lib/api/openapi";
import { isAudited, isSigned, type Operation, pathOf, takesJson } from "@/lib/api/operation";
import { db } from "@/lib/db/client";
import { LOCALES } from "@/lib/kernel/i18n/locales";
import { messagesFor } from "@/lib/kernel/i18n/translator";
import { admitsUsers } from "@/lib/permissions/authorize";
import { missingAuditTexts } from "@/lib/testing/audit-texts";
import { aServer } from "@/lib/testing/client";
import { ANONYMOUS, type Answer, auditCount, type Caller, send, sendRaw } from "@/lib/testing/console";
import { fillDisk, makeRoom } from "@/lib/testing/full-disk";
import { givenBetween, lastingAccess, unjudgedTables } from "@/lib/testing/lasting-access";
import { serveOperations, type TestServer } from "@/lib/testing/server";
import { verifiedSignature } from "@/lib/testing/signatures";
import { CANARIES, makeWorld, type World } from "@/lib/testing/world";
import { someOf } from "@/scripts/test-amount";
import { setUpTestDatabase } from "@/scripts/test-database";
import { compatRoutes } from "./compat/routes";
import { operations } from "./operations";
import { routes } from "./routes";
import { sampleOf, samples } from "./testing/samples";

/** Routes that are no operations: they stand beside the API and have no caller, input or audit. */
const NOT_OPERATIONS = [
  "/api/health/live",
  "/api/health/ready",
  "/api/metrics",
  "/api/openapi.json",
  "/api/testers/returned-mail",
];

/** The fields that people fill in and others read. */
const NAMES = ["name", "firstNames", "lastNames", "registrant", "team", "description", "key"];
const LONG = 5_000;

const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];

const listSource = readFileSync("lib/operations.ts", "utf8");
const all = Object.entries(operations) as [keyof typeof operations, Operation][];
const { paths } = openApiDocument(operations, "https://slipway.example") as unknown as {
  paths: Record<string, Record<string, { description: string; responses: Record<string, { description: string }> }>>;
};
setUpTestDatabase();

let server: TestServer;
let world: World;

/** A caller whom an operation lets through to its input. */
function entitled({ access }: Operation): Caller {
  return admitsUsers(access) ? world.admin : world.server;
}

beforeAll(async () => {
  server = await serveOperations(all.map(([, operation]) => operation));
});

afterAll(() => server.close());

it("every table with a secret or a hash is judged: whether its rows give access that outlives a session", async () => {
  expect(await unjudgedTables(), "to be named in lib/testing/lasting-access.ts").toEqual([]);
});

describe("the list", () => {
  it("is what is routed, with the routes that are no operations", () => {
    const expected = [
      ...all.map(([, operation]) => pathOf(operation)),
      ...NOT_OPERATIONS,
      ...Object.keys(compatRoutes),
    ];
    expect(Object.keys(routes.byPath).sort()).toEqual(expected.sort());
  });

  it("has a sample beside each operation, and none beside anything else", () => {
    for (const [, operation] of all) expect(sampleOf(operation).operation).toBe(operation);
    expect(samples.size).toBe(all.length);
  });

  it("is what the OpenAPI document shows", () => {
    expect(Object.keys(paths).sort()).toEqual(all.map(([, operation]) => pathOf(operation)).sort());
  });
});

const FACTOR_TABLES = ["Passkey", "TwoFactor", "RecoveryCode"];

/** The platforms of a new database, which all worlds share. */
async function sharedPlatforms() {
  return db.platform.findMany({
    where: { id: { in: ["019a0000-0000-7000-8000-000000000011", "019a0000-0000-7000-8000-000000000012"] } },
    select: { status: true },
    orderBy: { id: "asc" },
  });
}

describe.each(all)("%s", (key, operation) => {
  const path = pathOf(operation);

  // Each sample has a world of its own, so that a wrong one fails the tests of its operation alone.
  beforeAll(async () => {
    world = await makeWorld();
  });

  it("stands in the list under its own path, in a file of its own name", () => {
    expect(key).toBe(`${operation.area}/${operation.name}`);
    expect(operation.name).toMatch(/^[a-z]+(-[a-z]+)*$/);
    expect(listSource).toContain(`/operations/${operation.name}";`);
  });

  it("requires a second factor only of signed-in people, and says so in the OpenAPI document", () => {
    const { description, responses } = paths[path]?.[operation.method.toLowerCase()] ?? {};
    // With `any-scope`, the target adds the scope and the second factor that the input needs.
    const reveals =
      operation.method === "GET" &&
      isAudited(operation) &&
      admitsUsers(operation.access) &&
      operation.access !== "any-scope";
    if (reveals) expect(operation.secondFactor).toBe("recent");
    // What changes a second factor.
    const isGuarded =
      operation.kind === "command" &&
      !["public", "partial-session"].includes(operation.access as string) &&
      FACTOR_TABLES.includes(operation.audit.table);
    if (isGuarded) expect(["recentIfEnrolled", "inInput"]).toContain(operation.secondFactor);
    if (operation.secondFactor === undefined) {
      expect(description).not.toMatch(/A person (needs|who has)/);
      return;
    }
    expect(["public", "partial-session"]).not.toContain(operation.access);
    expect(description).toMatch(/A person (needs|who has)/);
    const isRecent = operation.secondFactor === "recent" || operation.secondFactor === "recentIfEnrolled";
    expect(description?.includes("15 minutes")).toBe(isRecent);
    expect(responses?.[403]?.description).toContain("`two_factor_required`");
    const needsOne = operation.secondFactor === "enrolled" || operation.secondFactor === "recent";
    expect(responses?.[403]?.description.includes("`two_factor_enrollment_required`")).toBe(needsOne);
  });

  it("has words for each error that it may answer, in six languages", () => {
    for (const locale of LOCALES) {
      const { errors } = messagesFor(locale) as unknown as {
        errors: Record<string, { title?: string; detail?: string }>;
      };
      for (const code of errorCodes(operation)) {
        expect(errors[code]?.title, `${locale} errors.${code}.title`).toBeTruthy();
        expect(errors[code]?.detail, `${locale} errors.${code}.detail`).toBeTruthy();
      }
    }
  });

  it("has a summary in six languages; that of the declaration is the English one", () => {
    for (const locale of LOCALES) {
      const summaries = messagesFor(locale).operations as Record<string, Record<string, string>>;
      const summary = summaries[operation.area]?.[operation.name];
      expect(summary, `${locale} operations.${operation.area}.${operation.name}`).toBeTruthy();
      if (locale === "en") expect(summary).toBe(operation.summary);
    }
  });

  /** What the OpenAPI document tells of the answers. */
  const told = paths[path]?.[operation.method.toLowerCase()]?.responses ?? {};

  it("answers nothing but what the OpenAPI document tells, and names a field that it does not know", async () => {
    const before = await auditCount();
    const unknown = await send(operation, entitled(operation), { surprise: "1" });
    expect(unknown.body.errors.map((error: { path: string }) => error.path)).toContain("surprise");
    const answers: [status: number, Answer][] = [[422, unknown]];
    if (takesJson(operation)) {
      // A body is refused by its length before it is read; 1 GiB is more than any operation takes.
      const tooLong = { headers: { "content-length": String(1024 ** 3) } };
      answers.push([400, await send(operation, entitled(operation), "{")]);
      answers.push([413, await send(operation, entitled(operation), "{}", tooLong)]);
    }
    for (const [wanted, { status, body }] of answers) {
      expect(status).toBe(wanted);
      expect(told[status]?.description).toContain(`\`${body.code}\``);
    }
    expect(await auditCount()).toBe(before);
  });

  it("answers a wrong method with 405 and the right ones", async () => {
    const right = operation.method === "GET" ? ["GET", "HEAD"] : [operation.method];
    const wrong = METHODS.filter((name) => !right.includes(name));
    // The answer is the same function's for all: each operation is asked by one, in turns.
    const turn = all.findIndex(([one]) => one === key);
    for (const method of someOf(wrong, turn, 1)) {
      const answer = await fetch(`${server.url}${path}`, { method, headers: { "accept-language": "de" } });
      expect([method, answer.status, answer.headers.get("allow")]).toEqual([method, 405, right.join(", ")]);
      expect(answer.headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
      expect(answer.headers.get("content-type")).toBe("application/problem+json");
      const text = await answer.text();
      if (method !== "HEAD") expect(JSON.parse(text)).toMatchObject({ status: 405, code: "method_not_allowed" });
    }
  });

  it("tells a value of another type from one that is missing", async () => {
    const { properties = {} } = z.toJSONSchema(operation.input, { io: "input", unrepresentable: "any" }) as {
      properties?: Record<string, { type?: string }>;
    };
    const texts = Object.keys(properties).filter((name) => properties[name]?.type === "string");
    const sent = operation.method === "POST" ? 7 : ["one", "two"];
    const wrong = Object.fromEntries(texts.map((name) => [name, sent]));
    const answer = await send(operation, entitled(operation), { ...wrong, surprise: sent });
    expect(answer.status).toBe(422);
    const codes = new Map(answer.body.errors.map(({ path, code }: { path: string; code: string }) => [path, code]));
    for (const name of texts) expect([name, codes.get(name)]).not.toEqual([name, "required"]);
  });

  it("limits each text, and names the field and its limit for one of 5,000 characters", async () => {
    const { properties = {} } = z.toJSONSchema(operation.input, { io: "input", unrepresentable: "any" }) as {
      properties?: Record<string, { type?: string; maxLength?: number; format?: string; pattern?: string }>;
    };
    const texts = Object.entries(properties).filter(([, { type, format }]) => type === "string" && !format);
    for (const [name, { maxLength, pattern }] of texts.filter(([name]) => NAMES.includes(name))) {
      expect([name, maxLength ?? pattern]).not.toEqual([name, undefined]);
    }
    const limited = texts.filter(([, { maxLength = LONG }]) => maxLength < LONG);
    if (operation.method !== "POST" || limited.length === 0) return;
    const before = await auditCount();
    const input = Object.fromEntries(limited.map(([name]) => [name, "א".repeat(LONG)]));
    const answer = await send(operation, entitled(operation), { ...input, surprise: "1" });
    expect(answer.status).toBe(422);
    for (const [name, { maxLength }] of limited) {
      const messages = answer.body.errors.filter(({ path }: { path: string }) => path === name);
      const digits = messages.map(({ message }: { message: string }) => message.replace(/\D/g, ""));
      expect([name, digits]).toEqual([name, expect.arrayContaining([String(maxLength)])]);
    }
    expect(await auditCount()).toBe(before);
  });

  it("answers a rightful caller, with nothing secret in it, and with one audit record where the call is to be recorded", async () => {
    const sendSample = await sampleOf(operation).arrange(world);
    const [before, platforms, access] = [await auditCount(), await sharedPlatforms(), await lastingAccess()];
    const answer = await sendSample();
    expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(400);
    if (admitsUsers(operation.access) && !["public", "partial-session"].includes(operation.access as string)) {
      const given = givenBetween(access, await lastingAccess());
      const isGuarded = ["recent", "recentIfEnrolled", "inInput"].includes(operation.secondFactor ?? "");
      expect(isGuarded ? [] : given, "access that outlives the session requires `secondFactor`").toEqual([]);
    }
    expect(Object.keys(told)).toContain(String(answer.status));
    expect(answer.headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
    expect(await auditCount()).toBe(before + (isAudited(operation) ? 1 : 0));
    const text = JSON.stringify(answer.body) ?? "";
    for (const canary of CANARIES) expect(text).not.toContain(canary);
    expect(await sharedPlatforms(), "The sample must not change what other samples need.").toEqual(platforms);
  });

  if (isAudited(operation)) {
    it("answers nothing where its audit record cannot be written", async () => {
      const sendSample = await sampleOf(operation).arrange(world);
      await fillDisk();
      const answer = await sendSample();
      await makeRoom();
      expect([answer.status, answer.body.code]).toEqual([507, "storage_full"]);
    });
  }

  if (isSigned(operation)) {
    it("signs its answers and problems, with the nonce of the request, and answers 304 to the entity tag", async () => {
      const server = await aServer(world);
      const first = await (await sampleOf(operation).arrange(world))();
      const etag = first.headers.get("etag") ?? "";
      expect(etag).toMatch(/^"[\w-]{43}"$/);
      expect(first.headers.get("cache-control")).toBe("no-store, no-transform");
      const before = await auditCount();
      const headers = { "if-none-match": etag, "x-nonce": "n-0S6_WzA2Mj" };
      const input = sampleOf(operation).input(world);
      const answers = [
        [200, await sendRaw(operation, server, input, { headers: { "x-nonce": "n-0S6_WzA2Mj" } })],
        [304, await sendRaw(operation, server, input, { headers })],
        [422, await sendRaw(operation, server, { surprise: "1" }, { headers })],
        [401, await sendRaw(operation, ANONYMOUS, input, { headers })],
      ] as const;
      for (const [status, answer] of answers) {
        expect(answer.status).toBe(status);
        const { url, nonce, etag: signed } = await verifiedSignature(answer);
        expect([url.split("?")[0], nonce, signed]).toEqual([path, "n-0S6_WzA2Mj", status < 400 ? etag : undefined]);
      }
      expect(await auditCount()).toBe(before + (isAudited(operation) ? 1 : 0));
    });

    it("has the headers of a GET in its answer to a HEAD", async () => {
      const server = await aServer(world);
      const input = sampleOf(operation).input(world);
      const [get, head] = [
        await sendRaw(operation, server, input),
        await sendRaw(operation, server, input, { method: "HEAD" }),
      ];
      expect(await head.text()).toBe("");
      expect(head.headers.get("etag")).toBe(get.headers.get("etag"));
      await verifiedSignature(new Response(await get.text(), { headers: head.headers }));
    });

    it("refuses a nonce of another form before anything is read", async () => {
      const before = await auditCount();
      const input = sampleOf(operation).input(world) as never;
      const answer = await send(operation, world.server, input, { headers: { "x-nonce": "two words" } });
      expect([answer.status, answer.body.errors[0].path]).toEqual([422, "X-Nonce"]);
      expect(await auditCount()).toBe(before);
    });
  }

  if (takesJson(operation)) {
    it("refuses a body that is no object", async () => {
      const list = await send(operation, world.admin, "[1]");
      expect([list.status, list.body.code]).toEqual([422, "validation_failed"]);
    });

    it("refuses a call that another site's page sends with the cookie", async () => {
      const before = await auditCount();
      const answer = await send(operation, world.admin, {}, { headers: { origin: "https://evil.example" } });
      expect([answer.status, answer.body.code]).toEqual([403, "cross_origin"]);
      expect(await auditCount()).toBe(before);
    });
  }
});

it("keeps no canary in the audit log", async () => {
  const records = await db.auditRecord.findMany({ select: { changes: true } });
  const names = await db.auditName.findMany({ select: { name: true } });
  expect(names).not.toEqual([]);
  for (const canary of CANARIES) expect(JSON.stringify([records, names])).not.toContain(canary);
});

it("has a sentence for every audit record that the calls above wrote", async () => {
  const kinds = await db.auditRecord.groupBy({ by: ["table", "action"] });
  expect(kinds.flatMap(missingAuditTexts), "missing in the files of messages/").toEqual([]);
});
