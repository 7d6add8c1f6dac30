import { beforeAll, describe, expect, it } from "vitest";
import { db } from "@/lib/db/client";
import { getEnvironmentApp } from "@/lib/features/environments/operations/get-environment-app";
import { hashToken, looksLikeApiToken } from "@/lib/kernel/crypto/tokens";
import { DAY_MS } from "@/lib/kernel/time";
import { anApp, aToken, aUser, auditCount, send, type TestUser } from "@/lib/testing/console";
import { setUpTestDatabase } from "@/scripts/test-database";
import { createApiToken } from "./create-api-token";

setUpTestDatabase();

const YEAR = 365.25 * DAY_MS;
const HEX = "0123456789abcdef".repeat(4);
const WITH_COLONS = HEX.toUpperCase().match(/../g)?.join(":") as string;

let admin: TestUser;
let app: Awaited<ReturnType<typeof anApp>>;
let environmentId: string;

beforeAll(async () => {
  admin = await aUser({ admin: true });
  app = await anApp({ environments: [{ name: "One" }, { name: "Two" }] });
  environmentId = app.environmentIds[0] as string;
});

/** A valid input with changes. */
const input = (changes: Record<string, unknown> = {}) => ({
  name: "CI",
  appId: app.appId,
  environmentId,
  identifiers: ["server"],
  validUntil: new Date(Date.now() + DAY_MS).toISOString(),
  ...changes,
});

/** Sends the command and proves that it changed nothing. */
async function refused(changes: Record<string, unknown>) {
  const before = [await auditCount(), await db.apiToken.count()];
  const answer = await send(createApiToken, admin, input(changes));
  expect([await auditCount(), await db.apiToken.count()]).toEqual(before);
  return answer;
}

describe("create-api-token", () => {
  it("returns the token once and stores only its hash and first characters", async () => {
    const validUntil = new Date(Date.now() + YEAR).toISOString();
    const before = await auditCount();
    const answer = await send(createApiToken, admin, input({ name: " Build server ", validUntil }));
    expect(answer.status).toBe(201);
    expect(answer.headers.get("cache-control")).toBe("no-store");
    const { token, ...shown } = answer.body;
    expect(looksLikeApiToken(token)).toBe(true);
    expect(shown).toEqual({
      id: expect.any(String),
      name: "Build server",
      app: { id: app.appId, name: app.name },
      environment: { id: environmentId, name: "One" },
      identifiers: ["server"],
      scopes: expect.any(Array),
      prefix: token.slice(0, 12),
      validUntil,
      lastUsedAt: null,
      createdAt: expect.any(String),
    });
    const row = await db.apiToken.findUniqueOrThrow({ where: { id: shown.id } });
    expect(row.hash).toEqual(hashToken(token));
    expect(row.createdBy).toBe(admin.userId);
    expect(JSON.stringify({ ...row, hash: null })).not.toContain(token.slice(12));
    expect(await auditCount()).toBe(before + 1);
  });

  it("keeps the token and its hash out of the audit log", async () => {
    const { body } = await send(createApiToken, admin, input());
    const record = await db.auditRecord.findFirstOrThrow({ orderBy: { id: "desc" } });
    expect(record).toMatchObject({ table: "ApiToken", action: "create", recordId: body.id, userId: admin.userId });
    expect(record.changes).toMatchObject({ name: [null, "CI"], environmentId: [null, environmentId] });
    const text = JSON.stringify(record.changes);
    expect(text).not.toContain(body.token.slice(12));
    expect(text).not.toContain(Buffer.from(hashToken(body.token)).toString("hex"));
    expect(Object.keys(record.changes as object)).not.toContain("hash");
  });

  it("creates a token that works at once in its environment, and in no other", async () => {
    const { body } = await send(createApiToken, admin, input());
    const bearer = { headers: { authorization: `Bearer ${body.token}` } };
    expect((await send(getEnvironmentApp, bearer, { id: environmentId })).status).toBe(200);
    expect((await send(getEnvironmentApp, bearer, { id: app.environmentIds[1] })).status).toBe(404);
  });

  it("stores an Android signing hash in one spelling, which matches every spelling", async () => {
    const { body } = await send(createApiToken, admin, input({ identifiers: [WITH_COLONS, HEX, " com.acme.app "] }));
    expect(body.identifiers).toEqual([HEX, "com.acme.app"]);
    const statusFor = async (headers: Record<string, string>) =>
      (
        await send(
          getEnvironmentApp,
          { headers: { authorization: `Bearer ${body.token}`, ...headers } },
          { id: environmentId },
        )
      ).status;
    for (const identifier of [WITH_COLONS, HEX, HEX.toUpperCase(), "com.acme.app"]) {
      expect(await statusFor({ "x-app-identifier": identifier })).toBe(200);
    }
    expect(await statusFor({ "x-app-identifier": "com.acme.other" })).toBe(401);
    expect(await statusFor({})).toBe(401);
  });

  it("gives a server the scopes to publish and an app the scopes to read, by default", async () => {
    const scopesOf = async (changes: Record<string, unknown>) =>
      (await send(createApiToken, admin, input(changes))).body.scopes;
    expect(await scopesOf({})).toEqual(["release:download", "release:create", "environment:read", "dev-variable:read"]);
    expect(await scopesOf({ identifiers: ["com.acme.app"] })).toEqual([
      "release:read",
      "environment:read",
      "secure-variable:read",
      "secure-certificate:read",
    ]);
    expect(await scopesOf({ scopes: ["release:create", "release:create"] })).toEqual(["release:create"]);
  });

  it("requires at least one identifier and says so", async () => {
    const answer = await refused({ identifiers: [] });
    expect(answer.status).toBe(422);
    expect(answer.body.errors).toEqual([
      { path: "identifiers", code: "invalid", message: "You must add at least one identifier." },
    ]);
  });

  it("refuses an environment of another application, and unknown ones", async () => {
    const other = await anApp();
    const missing = "019a0000-0000-7000-8000-00000000dead";
    const wrong: [string, Record<string, unknown>][] = [
      ["environmentId", { environmentId: other.environmentIds[0] }],
      ["environmentId", { environmentId: missing }],
      ["appId", { appId: missing }],
      ["environmentId", { appId: other.appId }],
    ];
    for (const [path, changes] of wrong) {
      const answer = await refused(changes);
      expect([answer.status, answer.body.errors[0].path]).toEqual([422, path]);
    }
  });

  it("accepts an expiry in the future, at most five years away, in any time zone", async () => {
    for (const validUntil of [new Date(Date.now() - 1_000), new Date(Date.now() + 5.1 * YEAR)]) {
      const answer = await refused({ validUntil: validUntil.toISOString() });
      expect([answer.status, answer.body.errors.length, answer.body.errors[0].path]).toEqual([422, 1, "validUntil"]);
    }
    const latest = new Date(Date.now() + 4.9 * YEAR).toISOString();
    expect((await send(createApiToken, admin, input({ validUntil: latest }))).body.validUntil).toBe(latest);
    const zoned = latest.replace("Z", "+02:00");
    expect((await send(createApiToken, admin, input({ validUntil: zoned }))).body.validUntil).toBe(
      new Date(zoned).toISOString(),
    );
  });

  it.each([
    ["name", { name: "" }],
    ["identifiers.0", { identifiers: ["acme app"] }],
    ["identifiers.0", { identifiers: ["Server"] }],
    ["identifiers", { identifiers: "server" }],
    ["scopes", { scopes: [] }],
    ["scopes.0", { scopes: ["release:everything"] }],
    ["validUntil", { validUntil: "tomorrow" }],
    ["validUntil", { validUntil: undefined }],
    ["token", { token: "slw_mine" }],
  ])("reports that %s is invalid", async (path, changes) => {
    const answer = await refused(changes);
    expect([answer.status, answer.body.errors[0].path]).toEqual([422, path]);
  });

  it("is only for administrators: neither all scopes nor the environment's own token suffices", async () => {
    const writer = await aUser({ grants: [{ scopes: ["environment:write", "secure-variable:write"] }] });
    const token = await aToken({ appId: app.appId, environmentId, scopes: ["environment:write"] });
    const before = [await auditCount(), await db.apiToken.count()];
    for (const caller of [writer, token]) {
      expect((await send(createApiToken, caller, input())).status).toBe(403);
    }
    expect([await auditCount(), await db.apiToken.count()]).toEqual(before);
  });
});
