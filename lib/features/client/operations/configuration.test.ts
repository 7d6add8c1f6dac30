import { createHash } from "node:crypto";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Operation } from "@/lib/api/operation";
import { flushReveals, REVEAL_WINDOW_MS, settleReveals } from "@/lib/audit/reveals";
import { ensureServerKeys } from "@/lib/auth/server-keys";
import { databasePool, db } from "@/lib/db/client";
import { readActiveEntries } from "@/lib/features/configuration/data/active-entries";
import { REMOTE_ADDRESS_HEADER } from "@/lib/http/request-facts";
import { processSingleton } from "@/lib/kernel/process-singleton";
import type { Scope } from "@/lib/permissions/scopes";
import { changedFields } from "@/lib/testing/audit";
import { aServer, configure } from "@/lib/testing/client";
import { type Answer, anApp, aToken, auditCount, type Caller, send, sendRaw } from "@/lib/testing/console";
import { fillDisk, makeRoom } from "@/lib/testing/full-disk";
import { blocksRead } from "@/lib/testing/plans";
import messages from "@/messages/en.json";
import { setUpTestDatabase } from "@/scripts/test-database";
import { getConfiguration } from "./get-configuration";
import { getClientDevelopmentVariables } from "./get-development-variables";
import { getClientSecureCertificates } from "./get-secure-certificates";
import { getClientSecureVariables } from "./get-secure-variables";

setUpTestDatabase();

let app: Awaited<ReturnType<typeof anApp>>;
let environmentId: string;
let server: Awaited<ReturnType<typeof aServer>>;

beforeAll(ensureServerKeys);

beforeEach(async () => {
  app = await anApp();
  environmentId = app.environmentIds[0] as string;
  server = await aServer({ app, environmentId });
});

const body = async (operation: Operation, input: Record<string, unknown> = {}, caller: Caller = server) =>
  (await send(operation, caller, input)).body;

const secure = (key: string, value: string) => ({ kind: "secure-variable" as const, key, value });

const asInApp = (token: { headers: Record<string, string> }, identifier: string): Caller => ({
  headers: { ...token.headers, "x-app-identifier": identifier },
});

describe("the configuration of an environment", () => {
  beforeEach(async () => {
    await configure(environmentId, [
      { kind: "dev-variable", key: "URL", value: "https://example.com" },
      secure("API_KEY", " Größe\r\n\t🔑 "),
      { kind: "secure-certificate", key: "TLS", value: "-----BEGIN", password: "open sesame" },
    ]);
  });

  it("is what the token's scopes reach, byte for byte", async () => {
    const place = {
      app: { id: app.appId, name: app.name, identifier: app.identifier },
      environment: { id: environmentId, name: "Testing" },
    };
    const certificate = {
      key: "TLS",
      name: "Name of TLS",
      fileName: "server.pem",
      format: "pem",
      sha256: "0".repeat(64),
      expirationDate: "2030-01-02T03:04:05.000Z",
      status: "active",
    };
    expect(await body(getConfiguration)).toEqual({
      ...place,
      configurationVersion: 1,
      variables: { URL: "https://example.com" },
      secureVariables: { API_KEY: " Größe\r\n\t🔑 " },
      certificates: [certificate],
    });
    const withScopes = async (...scopes: Scope[]) =>
      body(getConfiguration, {}, await aToken({ appId: app.appId, environmentId, scopes }));
    expect(await withScopes("environment:read")).toEqual({
      ...place,
      configurationVersion: 1,
      certificates: [certificate],
    });
    expect(Object.keys(await withScopes("environment:read", "dev-variable:read"))).toContain("variables");
    expect(Object.keys(await withScopes("environment:read", "dev-variable:read"))).not.toContain("secureVariables");
    expect(await body(getClientDevelopmentVariables)).toEqual({
      configurationVersion: 1,
      variables: { URL: "https://example.com" },
    });
    expect(await body(getClientSecureVariables)).toEqual({
      configurationVersion: 1,
      variables: { API_KEY: " Größe\r\n\t🔑 " },
    });
    expect(await body(getClientSecureCertificates)).toEqual({
      configurationVersion: 1,
      certificates: [{ ...certificate, value: Buffer.from("-----BEGIN").toString("base64"), password: "open sesame" }],
    });
  });

  it("holds every key that a variable may have, and no inactive entry", async () => {
    await configure(environmentId, [
      secure("__proto__", "1"),
      secure("constructor", "2"),
      secure("a.b-c", "3"),
      { ...secure("OFF", "4"), status: "inactive" },
    ]);
    const answer = await sendRaw(getClientSecureVariables, server);
    expect(await answer.text()).toBe(
      `{"configurationVersion":2,"variables":{"API_KEY":${JSON.stringify(" Größe\r\n\t🔑 ")},"__proto__":"1","a.b-c":"3","constructor":"2"}}`,
    );
  });

  it("is that of an earlier version where one is named, and 404 where it never was", async () => {
    const second = await configure(environmentId, [secure("NEW", "new")]);
    for (const operation of [getConfiguration, getClientSecureVariables, getClientSecureCertificates] as Operation[]) {
      const first = await body(operation, { configurationVersion: 1 });
      expect(first.configurationVersion).toBe(1);
      expect(JSON.stringify(first)).not.toContain("NEW");
      expect(await body(operation, { configurationVersion: second })).toEqual(await body(operation));
      expect(await body(operation, { configurationVersion: 3 })).toMatchObject({ code: "not_found" });
      expect(await body(operation, { configurationVersion: "0" })).toMatchObject({ code: "validation_failed" });
    }
    expect((await body(getClientSecureVariables, { configurationVersion: 1 })).variables).toEqual({
      API_KEY: " Größe\r\n\t🔑 ",
    });
    expect((await body(getClientSecureCertificates, { configurationVersion: 1 })).certificates).toMatchObject([
      { key: "TLS", password: "open sesame", expirationDate: "2030-01-02T03:04:05.000Z" },
    ]);
  });

  it("gives development variables to servers alone", async () => {
    const scopes: Scope[] = ["dev-variable:read", "environment:read"];
    const token = await aToken({ appId: app.appId, environmentId, scopes, identifiers: ["com.example.app", "server"] });
    expect((await send(getClientDevelopmentVariables, token)).status).toBe(200);
    const inApp = asInApp(token, "com.example.app");
    expect(await body(getClientDevelopmentVariables, {}, inApp)).toMatchObject({
      code: "forbidden",
      detail: messages.errors.forbidden.detailToken,
    });
  });

  it("is refused with the reason where a value was moved to another row", async () => {
    await configure(environmentId, [secure("OTHER", "another value")]);
    await db.$executeRaw`
      UPDATE "SecureVariable" SET "value" = (SELECT "value" FROM "SecureVariable"
        WHERE "environmentId" = ${environmentId}::uuid AND "key" = 'API_KEY')
      WHERE "environmentId" = ${environmentId}::uuid AND "key" = 'OTHER'`;
    const answer = await send(getClientSecureVariables, server);
    expect(answer.status).toBe(500);
    expect(answer.body).toMatchObject({ code: "unexpected", detail: messages.errors.unexpected.detailSealed });
  });

  it("is empty before anything was configured", async () => {
    const other = await anApp();
    const caller = await aServer({ app: other, environmentId: other.environmentIds[0] as string });
    expect(await body(getClientSecureVariables, {}, caller)).toEqual({ configurationVersion: 0, variables: {} });
    expect(await body(getConfiguration, {}, caller)).toMatchObject({ configurationVersion: 0, certificates: [] });
  });

  it("has an entity tag from which its content cannot be guessed", async () => {
    const answer = await sendRaw(getClientSecureVariables, server);
    const tag = answer.headers.get("etag");
    const body = Buffer.from(await answer.arrayBuffer());
    const hashes = (["base64url", "base64", "hex"] as const).map((form) =>
      createHash("sha256").update(body).digest(form),
    );
    expect(tag).toMatch(/^"[\w-]{43}"$/);
    expect(hashes.filter((hash) => tag?.includes(hash))).toEqual([]);
  });

  it("has the entity tag of its content, which changes with it", async () => {
    const first = (await send(getClientSecureVariables, server)).headers.get("etag");
    const other = await aToken({ appId: app.appId, environmentId, scopes: ["secure-variable:read"] });
    expect((await send(getClientSecureVariables, other)).headers.get("etag")).toBe(first);
    await configure(environmentId, [secure("NEW", "new")]);
    const headers = { "if-none-match": first as string };
    const answer = await send(getClientSecureVariables, server, {}, { headers });
    expect([answer.status, answer.body.variables.NEW]).toEqual([200, "new"]);
  });
});

describe("the audit record of a reveal", () => {
  const records = async () => {
    const rows = await db.auditRecord.findMany({
      where: { tokenId: server.tokenId },
      orderBy: { id: "asc" },
      select: { table: true, action: true, recordId: true, changes: true, ip: true },
    });
    return rows.map((row) => ({ ...row, changes: changedFields(row) }));
  };
  const read = (headers: Record<string, string> = {}): Promise<Answer> =>
    send(getClientSecureVariables, server, {}, { headers });
  const later = (ms: number) => new Date(Date.now() + ms);

  /** Has the window of the token's reads begin at another time, in this process and in the database. */
  async function beginWindowAt(startedAt: Date): Promise<void> {
    for (const window of processSingleton("reveal-windows", () => never())
      .get()
      .windows.values()) {
      window.startedAt = startedAt;
    }
    await db.revealWindow.updateMany({ data: { startedAt } });
  }
  const endWindow = () => beginWindowAt(later(-REVEAL_WINDOW_MS));

  /** Forgets what this process knows, as another instance does not know it. */
  const asAnotherInstance = () => processSingleton("reveal-windows", () => never()).clear();

  function never(): { windows: Map<string, { startedAt: Date }> } {
    throw new Error("no window was begun");
  }

  beforeEach(async () => {
    await configure(environmentId, [secure("A", "1"), secure("B", "2")]);
  });

  it("tells token, identifier, version, address and how many secrets, once in a minute", async () => {
    const token = await aToken({
      appId: app.appId,
      environmentId,
      scopes: ["secure-variable:read", "environment:read"],
      identifiers: [`${"AB:".repeat(31)}AB`],
    });
    server = { ...token, headers: asInApp(token, "ab".repeat(32)).headers };
    for (let reads = 0; reads < 5; reads++) expect((await read()).status).toBe(200);
    expect((await send(getConfiguration, server)).status).toBe(200);
    expect(await records()).toEqual([
      {
        table: "SecureVariable",
        action: "reveal",
        recordId: environmentId,
        changes: {
          identifier: [null, "ab".repeat(32)],
          configurationVersion: [null, 1],
          secrets: [null, 2],
        },
        ip: null,
      },
    ]);
  });

  it("is one for each version, kind and token", async () => {
    await read();
    await configure(environmentId, [secure("C", "3"), { kind: "secure-certificate", key: "TLS", value: "x" }]);
    await read();
    await send(getClientSecureVariables, server, { configurationVersion: 1 });
    await send(getClientSecureCertificates, server);
    const other = await aServer({ app, environmentId });
    const before = await auditCount();
    await send(getClientSecureVariables, other);
    expect(await auditCount()).toBe(before + 1);
    expect((await records()).map(({ table, changes }) => [table, changes])).toMatchObject([
      ["SecureVariable", { configurationVersion: [null, 1], secrets: [null, 2] }],
      ["SecureVariable", { configurationVersion: [null, 2], secrets: [null, 3] }],
      ["SecureCertificate", { configurationVersion: [null, 2], secrets: [null, 1] }],
    ]);
  });

  it("is one for reads that begin at the same moment, and for several instances", async () => {
    await Promise.all(Array.from({ length: 8 }, () => read()));
    await flushReveals();
    asAnotherInstance();
    await read();
    await read();
    await flushReveals();
    expect(await records()).toHaveLength(1);
    const window = await db.revealWindow.findFirstOrThrow({ where: { tokenId: server.tokenId } });
    expect(window.reads).toBe(9);
  });

  it("tells in the next one how many reads were counted, and from where", async () => {
    await read();
    await flushReveals();
    for (const ip of ["192.0.2.1", "192.0.2.1", "192.0.2.2"]) await read({ [REMOTE_ADDRESS_HEADER]: ip });
    await endWindow();
    await read();
    const [, second] = await records();
    expect(second?.changes).toMatchObject({
      repeatedReads: [null, 3],
      repeatedFrom: [null, ["192.0.2.1", "192.0.2.2"]],
    });
    await endWindow();
    await read();
    expect((await records())[2]?.changes).not.toHaveProperty("repeatedReads");
  });

  it("does not wait for the end of a window that a clock began which was a day ahead", async () => {
    await read();
    await flushReveals();
    await beginWindowAt(later(86_400_000));
    for (let reads = 0; reads < 2; reads++) {
      await read();
      expect(await records()).toHaveLength(2);
    }
    const { startedAt } = await db.revealWindow.findFirstOrThrow({ where: { tokenId: server.tokenId } });
    expect(startedAt.getTime()).toBeLessThanOrEqual(Date.now());
    await beginWindowAt(later(86_400_000));
    asAnotherInstance();
    await read();
    expect(await records()).toHaveLength(3);
  });

  it("is written by the sweeper for counted reads that none tells of", async () => {
    for (let reads = 0; reads < 4; reads++) await read();
    await flushReveals();
    await settleReveals(later(REVEAL_WINDOW_MS));
    expect(await db.revealWindow.count({ where: { tokenId: server.tokenId } })).toBe(1);
    const settled = later(REVEAL_WINDOW_MS + 20_000);
    const counts = await Promise.all([settleReveals(settled), settleReveals(settled)]);
    expect(counts[0] + counts[1]).toBeGreaterThan(0);
    const all = await records();
    expect(all.map(({ action }) => action)).toEqual(["reveal", "reveal-repeated"]);
    expect(all[1]).toMatchObject({
      table: "SecureVariable",
      recordId: environmentId,
      changes: { configurationVersion: [null, 1], repeatedReads: [null, 3] },
    });
    expect(await db.revealWindow.count({ where: { tokenId: server.tokenId } })).toBe(0);
  });

  it("is not written for what reveals nothing: 304, other scopes, no secrets", async () => {
    const etag = (await read()).headers.get("etag") as string;
    const before = await auditCount();
    const other = await aServer({ app, environmentId });
    const answer = await send(getClientSecureVariables, other, {}, { headers: { "if-none-match": etag } });
    expect(answer.status).toBe(304);
    const reader = await aToken({ appId: app.appId, environmentId, scopes: ["environment:read", "dev-variable:read"] });
    expect((await send(getConfiguration, reader)).status).toBe(200);
    expect((await send(getClientSecureCertificates, other)).status).toBe(200);
    expect(await auditCount()).toBe(before);
  });

  it("keeps the answer back where it cannot be written, and counts nothing as read", async () => {
    await fillDisk();
    const refused = await read();
    await makeRoom();
    expect([refused.status, JSON.stringify(refused.body)]).toEqual([507, expect.not.stringContaining("variables")]);
    expect((await read()).status).toBe(200);
    expect(await records()).toHaveLength(1);
  });
});

it("reads the entries of one environment by an index, now and as of a version", async () => {
  const others = Array.from({ length: 3_000 }, (_, index) => secure(`KEY_${index}`, "v"));
  await configure((await anApp()).environmentIds[0] as string, others);
  await configure(environmentId, [secure("A", "1")]);
  await databasePool().query(`ANALYZE "SecureVariable", "ConfigurationChange", "ConfigurationSecret"`);
  for (const version of [undefined, 1]) {
    const kinds = ["dev-variable", "secure-variable", "secure-certificate"] as const;
    const read = () => readActiveEntries(db, environmentId, { kinds, secrets: kinds, version });
    expect(await blocksRead(read)).toBeLessThan(40);
  }
});
