import { beforeAll, describe, expect, it } from "vitest";
import { db } from "@/lib/db/client";
import { updateSecureCertificate } from "@/lib/features/certificates/operations/update-secure-certificate";
import { deleteDevelopmentVariable } from "@/lib/features/variables/operations/delete-development-variable";
import { deleteSecureVariable } from "@/lib/features/variables/operations/delete-secure-variable";
import { getSecureVariable } from "@/lib/features/variables/operations/get-secure-variable";
import { getSecureVariables } from "@/lib/features/variables/operations/get-secure-variables";
import { importVariables } from "@/lib/features/variables/operations/import-variables";
import { updateDevelopmentVariable } from "@/lib/features/variables/operations/update-development-variable";
import { updateSecureVariable } from "@/lib/features/variables/operations/update-secure-variable";
import { newId } from "@/lib/kernel/ids";
import type { Scope } from "@/lib/permissions/scopes";
import { aCertificate } from "@/lib/testing/certificates";
import { anApp, aToken, aUser, auditCount, send, type TestUser } from "@/lib/testing/console";
import { readPages } from "@/lib/testing/lists";
import { beforeHandler } from "@/lib/testing/overtake";
import { withTwoFactor } from "@/lib/testing/two-factor";
import { aVariable } from "@/lib/testing/variables";
import { setUpTestDatabase } from "@/scripts/test-database";
import { getConfigurationDiff } from "./operations/get-configuration-diff";
import { getConfigurationVersions } from "./operations/get-configuration-versions";
import { getVariablesMatrix } from "./operations/get-variables-matrix";
import { restoreConfiguration } from "./operations/restore-configuration";

setUpTestDatabase();

let admin: TestUser;

beforeAll(async () => {
  admin = await aUser({ admin: true });
  await withTwoFactor(admin, { passed: true });
});

async function aPlace(): Promise<{ appId: string; environmentId: string }> {
  const { appId, environmentIds } = await anApp();
  return { appId, environmentId: environmentIds[0] as string };
}

const diff = (environmentId: string, from: number | string, to: number | string, who = admin) =>
  send(getConfigurationDiff, who, { environmentId, from, to });

describe("get-configuration-versions", () => {
  it("lists who changed what and when, newest first, without values", async () => {
    const { appId, environmentId } = await aPlace();
    const token = await aToken({ appId, environmentId, scopes: ["dev-variable:write"] });
    const one = await aVariable("dev-variable", admin, { environmentId, key: "A", name: "One", value: "dev-value" });
    await aVariable("secure-variable", admin, { environmentId, key: "S", name: "Secret", value: "canary-value" });
    await send(updateDevelopmentVariable, token, { id: one.id, key: "B", name: "Two" });
    await send(deleteDevelopmentVariable, admin, { id: one.id });
    const answer = await send(getConfigurationVersions, admin, { environmentId });
    expect(answer.status).toBe(200);
    expect(answer.body.total).toBe(4);
    const by = { kind: "user", id: admin.userId, name: "Ada Lovelace" };
    const common = { at: expect.stringMatching(/Z$/), by, restoredFrom: null, changeCount: 1 };
    expect(answer.body.items).toEqual([
      { ...common, version: 4, changes: [{ kind: "dev-variable", key: "B", name: "Two", action: "delete" }] },
      {
        ...common,
        version: 3,
        by: { kind: "token", id: token.tokenId, name: "CI" },
        changeCount: 2,
        changes: [
          { kind: "dev-variable", key: "A", name: "One", action: "delete" },
          { kind: "dev-variable", key: "B", name: "Two", action: "create" },
        ],
      },
      { ...common, version: 2, changes: [{ kind: "secure-variable", key: "S", name: "Secret", action: "create" }] },
      { ...common, version: 1, changes: [{ kind: "dev-variable", key: "A", name: "One", action: "create" }] },
    ]);
    expect(JSON.stringify(answer.body)).not.toMatch(/dev-value|canary-value/);
  });

  it("gives each version once over its pages, in both orders, and those of one key", async () => {
    const { environmentId } = await aPlace();
    for (const key of ["A", "B", "C", "A2", "D"]) await aVariable("dev-variable", admin, { environmentId, key });
    await aVariable("secure-variable", admin, { environmentId, key: "A" });
    const versions = async (input: Record<string, unknown>) => {
      const { pages, totals } = await readPages(getConfigurationVersions, admin, { environmentId, limit: 2, ...input });
      return [pages.map((page) => page.map(({ version }) => version)), totals[0]];
    };
    expect(await versions({})).toEqual([
      [
        [6, 5],
        [4, 3],
        [2, 1],
      ],
      6,
    ]);
    expect(await versions({ sort: "version" })).toEqual([
      [
        [1, 2],
        [3, 4],
        [5, 6],
      ],
      6,
    ]);
    expect(await versions({ key: "A" })).toEqual([[[6, 1]], 2]);
    expect(await versions({ key: "none" })).toEqual([[[]], 0]);
  });

  it("needs environment:read", async () => {
    const { environmentId } = await aPlace();
    const writer = await aUser({ grants: [{ scopes: ["dev-variable:write"] }] });
    expect((await send(getConfigurationVersions, writer, { environmentId })).status).toBe(403);
    expect((await diff(environmentId, "current", "current", writer)).status).toBe(403);
  });
});

describe("get-configuration-diff", () => {
  it("tells what was added, removed and changed, with values of development variables alone", async () => {
    const { environmentId } = await aPlace();
    const kept = await aVariable("dev-variable", admin, { environmentId, key: "KEPT", value: "same" });
    const changed = await aVariable("dev-variable", admin, { environmentId, key: "CHANGED", value: "old" });
    const removed = await aVariable("dev-variable", admin, { environmentId, key: "REMOVED", value: "gone" });
    const secret = await aVariable("secure-variable", admin, { environmentId, key: "SECRET", value: "canary-old" });
    const from = secret.version;
    await send(updateDevelopmentVariable, admin, { id: kept.id, name: "Renamed", status: "inactive" });
    await send(updateDevelopmentVariable, admin, { id: changed.id, value: "new" });
    await send(deleteDevelopmentVariable, admin, { id: removed.id });
    await send(updateSecureVariable, admin, { id: secret.id, value: "canary-new" });
    await aVariable("dev-variable", admin, { environmentId, key: "ADDED", value: "fresh", name: "N" });
    const answer = await diff(environmentId, from, "current");
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      from,
      to: from + 5,
      items: [
        {
          kind: "dev-variable",
          key: "ADDED",
          change: "added",
          after: "fresh",
          valueChanged: true,
          fields: { name: [null, "N"], status: [null, "active"] },
        },
        {
          kind: "dev-variable",
          key: "CHANGED",
          change: "changed",
          before: "old",
          after: "new",
          valueChanged: true,
          fields: {},
        },
        {
          kind: "dev-variable",
          key: "KEPT",
          change: "changed",
          before: "same",
          after: "same",
          valueChanged: false,
          fields: { name: ["A variable", "Renamed"], status: ["active", "inactive"] },
        },
        {
          kind: "dev-variable",
          key: "REMOVED",
          change: "removed",
          before: "gone",
          valueChanged: true,
          fields: { name: ["A variable", null], status: ["active", null] },
        },
        { kind: "secure-variable", key: "SECRET", change: "changed", valueChanged: true, fields: {} },
      ],
    });
    const reader = await aUser({ grants: [{ scopes: ["environment:read"] }] });
    const unseen = await diff(environmentId, from, "current", reader);
    expect(unseen.body.items).toEqual(
      answer.body.items.map(({ before: _before, after: _after, ...item }: Record<string, unknown>) => item),
    );
    expect(JSON.stringify([answer.body, unseen.body])).not.toContain("canary");
  });

  it("shows the details of certificates only to those who may list these", async () => {
    const { appId, environmentId } = await aPlace();
    const { version, id } = await aCertificate(admin, { environmentId, key: "CERT" });
    const { status } = await send(updateSecureCertificate, admin, { id, name: "Renamed", status: "inactive" });
    expect(status).toBe(200);
    const grants = (scopes: Scope[]) => ({ grants: [{ scopes, apps: [{ appId, environmentIds: [environmentId] }] }] });
    const fieldsFor = async (who: TestUser | Awaited<ReturnType<typeof aToken>>) => {
      const answer = await send(getConfigurationDiff, who, { environmentId, from: version - 1, to: "current" });
      expect(answer.body.items).toMatchObject([{ key: "CERT", change: "added", valueChanged: true }]);
      return Object.keys(answer.body.items[0].fields);
    };
    const all = await fieldsFor(admin);
    expect(all).toEqual(expect.arrayContaining(["name", "status", "fileName", "sha256", "subject", "serialNumber"]));
    const reader = await aUser(grants(["environment:read", "secure-certificate:read"]));
    const other = await aUser(grants(["environment:read"]));
    await withTwoFactor(other, { passed: true });
    // Without a second factor, and without the scope.
    expect([await fieldsFor(reader), await fieldsFor(other)]).toEqual(Array(2).fill(["name", "status"]));
    await withTwoFactor(reader, { passed: true });
    expect(await fieldsFor(reader)).toEqual(all);
  });

  it("compares in both directions, a version with itself, and finds a secret that was written again different", async () => {
    const { environmentId } = await aPlace();
    const { id } = await aVariable("secure-variable", admin, { environmentId, key: "S", value: "first" });
    await send(updateSecureVariable, admin, { id, value: "second" });
    await send(updateSecureVariable, admin, { id, value: "first" });
    const items = async (from: number | string, to: number | string) =>
      (await diff(environmentId, from, to)).body.items;
    expect(await items(1, 2)).toMatchObject([{ key: "S", change: "changed" }]);
    expect(await items(2, 1)).toMatchObject([{ key: "S", change: "changed" }]);
    expect(await items(1, 3)).toMatchObject([{ key: "S", change: "changed", valueChanged: true }]);
    expect(await items(2, 2)).toEqual([]);
    expect(await items("current", 3)).toEqual([]);
  });

  it("compares the first version with the configuration before it, which is 0", async () => {
    const { environmentId } = await aPlace();
    await aVariable("dev-variable", admin, { environmentId, key: "FIRST", value: "one" });
    expect((await diff(environmentId, 0, 1)).body).toMatchObject({
      from: 0,
      to: 1,
      items: [{ key: "FIRST", change: "added", after: "one" }],
    });
  });

  it("answers 404 for a version that never was, and 422 for what is no version", async () => {
    const { environmentId } = await aPlace();
    await aVariable("dev-variable", admin, { environmentId });
    expect((await diff(environmentId, 1, 2)).status).toBe(404);
    for (const wrong of [-1, 1.5, "latest", "", 3_000_000_000]) {
      const answer = await diff(environmentId, wrong, "current");
      expect([wrong, answer.status, answer.body.errors?.[0].path]).toEqual([wrong, 422, "from"]);
    }
  });
});

describe("restore-configuration", () => {
  it("makes a new version with the content of the old one, secrets too, and rewrites nothing", async () => {
    const { environmentId } = await aPlace();
    const dev = await aVariable("dev-variable", admin, { environmentId, key: "D", value: "old" });
    const secret = await aVariable("secure-variable", admin, { environmentId, key: "S", value: "old secret" });
    const lost = await aVariable("secure-variable", admin, { environmentId, key: "LOST", value: "lost secret" });
    await send(updateDevelopmentVariable, admin, { id: dev.id, value: "new", key: "D2" });
    await send(updateSecureVariable, admin, { id: secret.id, value: "new secret" });
    await send(deleteSecureVariable, admin, { id: lost.id });
    await aVariable("dev-variable", admin, { environmentId, key: "LATER" });
    const history = () =>
      db.configurationChange.findMany({ where: { environmentId, version: { lte: 7 } }, orderBy: { id: "asc" } });
    const before = [await history(), await auditCount()];

    const answer = await send(restoreConfiguration, admin, { environmentId, version: 3 });
    expect([answer.status, answer.body]).toEqual([200, { version: 8 }]);
    expect((await diff(environmentId, 3, "current")).body.items).toEqual([]);
    expect((await diff(environmentId, 7, 8)).body.items.map(({ key }: { key: string }) => key)).toEqual([
      "D",
      "D2",
      "LATER",
      "LOST",
      "S",
    ]);
    const { items } = (await send(getSecureVariables, admin, { environmentId, sort: "key" })).body;
    const values = await Promise.all(
      items.map(async ({ id }: { id: string }) => (await send(getSecureVariable, admin, { id })).body.value),
    );
    expect(values).toEqual(["lost secret", "old secret"]);
    expect([await history(), before[1]]).toEqual(before);
    const [newest] = (await send(getConfigurationVersions, admin, { environmentId })).body.items;
    expect(newest).toMatchObject({ version: 8, restoredFrom: 3, changeCount: 5 });
    expect(await db.auditRecord.findFirst({ where: { action: "restore" }, orderBy: { id: "desc" } })).toMatchObject({
      table: "ConfigurationVersion",
      recordId: environmentId,
      changes: { version: [7, 8], restoredFrom: [null, 3], entries: [null, 5] },
    });
  });

  it("makes no version where nothing differs", async () => {
    const { environmentId } = await aPlace();
    await aVariable("dev-variable", admin, { environmentId });
    expect((await send(restoreConfiguration, admin, { environmentId, version: 1 })).body).toEqual({ version: 1 });
  });

  it("leaves out the kinds that were not named", async () => {
    const { environmentId } = await aPlace();
    await aVariable("dev-variable", admin, { environmentId, key: "FIRST" });
    await aVariable("dev-variable", admin, { environmentId, key: "DEV" });
    await aVariable("secure-variable", admin, { environmentId, key: "SECURE" });
    await send(restoreConfiguration, admin, { environmentId, version: 1, kinds: ["dev-variable", "dev-variable"] });
    expect((await diff(environmentId, 1, "current")).body.items).toMatchObject([{ key: "SECURE", change: "added" }]);
  });

  it("restores the entry of one key alone, whatever else was changed since", async () => {
    const { environmentId } = await aPlace();
    const { id } = await aVariable("dev-variable", admin, { environmentId, key: "DELETED", value: "kept" });
    await aVariable("secure-variable", admin, { environmentId, key: "DELETED" });
    await send(deleteDevelopmentVariable, admin, { id });
    await aVariable("dev-variable", admin, { environmentId, key: "LATER" });
    await aVariable("secure-variable", admin, { environmentId, key: "LATER" });
    const dev = await aUser({ grants: [{ scopes: ["dev-variable:write"] }] });
    const input = { environmentId, version: 2, key: "DELETED" };
    expect((await send(restoreConfiguration, dev, input)).body).toEqual({ version: 6 });
    expect((await diff(environmentId, 5, 6)).body.items).toMatchObject([
      { kind: "dev-variable", key: "DELETED", change: "added", after: "kept" },
    ]);
  });

  it("needs the right to change each kind that was changed since, and a second factor for secrets", async () => {
    const { environmentId } = await aPlace();
    await aVariable("dev-variable", admin, { environmentId, key: "FIRST" });
    await aVariable("dev-variable", admin, { environmentId, key: "DEV" });
    await aVariable("secure-variable", admin, { environmentId, key: "SECURE" });
    const input = { environmentId, version: 1 };
    const dev = await aUser({ grants: [{ scopes: ["dev-variable:write", "secure-variable:read"] }] });
    const both = await aUser({ grants: [{ scopes: ["dev-variable:write", "secure-variable:write"] }] });
    const before = await auditCount();
    const refused = await send(restoreConfiguration, dev, input);
    expect([refused.status, refused.body.code]).toEqual([403, "forbidden"]);
    const unverified = await send(restoreConfiguration, both, input);
    expect([unverified.status, unverified.body.code]).toEqual([403, "two_factor_enrollment_required"]);
    expect(await auditCount()).toBe(before);
    expect((await send(restoreConfiguration, dev, { ...input, kinds: ["dev-variable"] })).body).toEqual({ version: 4 });
    await withTwoFactor(both, { passed: true });
    expect((await send(restoreConfiguration, both, input)).body).toEqual({ version: 5 });
  });

  it("changes nothing for a caller from whom the right to a kind was taken before the change", async () => {
    const { environmentId } = await aPlace();
    await aVariable("dev-variable", admin, { environmentId, key: "FIRST" });
    await aVariable("dev-variable", admin, { environmentId, key: "DEV" });
    const caller = await aUser({ grants: [{ scopes: ["dev-variable:write"] }, { scopes: ["environment:read"] }] });
    beforeHandler(restoreConfiguration, () =>
      db.rolePermission.deleteMany({ where: { roleId: caller.roleId, scopes: { has: "dev-variable:write" } } }),
    );
    const answer = await send(restoreConfiguration, caller, { environmentId, version: 1 });
    expect([answer.status, answer.body.code]).toEqual([403, "forbidden"]);
    expect(await db.devVariable.count({ where: { environmentId } })).toBe(2);
  });

  it("restores entries of a kind that was first changed after the caller was authorized, and needs the right to it", async () => {
    const { environmentId } = await aPlace();
    await aVariable("dev-variable", admin, { environmentId, key: "FIRST" });
    await aVariable("dev-variable", admin, { environmentId, key: "DEV" });
    const input = { environmentId, version: 1 };
    const addSecret = () => aVariable("secure-variable", admin, { environmentId });
    const dev = await aUser({ grants: [{ scopes: ["dev-variable:write"] }] });
    beforeHandler(restoreConfiguration, addSecret);
    const refused = await send(restoreConfiguration, dev, input);
    expect([refused.status, refused.body.code]).toEqual([403, "forbidden"]);

    await send(restoreConfiguration, admin, { environmentId, version: 2 });
    beforeHandler(restoreConfiguration, addSecret);
    expect((await send(restoreConfiguration, admin, input)).status).toBe(200);
    expect((await diff(environmentId, 1, "current")).body.items).toEqual([]);
  });

  it("answers 404 for a version that never was", async () => {
    const { environmentId } = await aPlace();
    await aVariable("dev-variable", admin, { environmentId });
    expect((await send(restoreConfiguration, admin, { environmentId, version: 2 })).status).toBe(404);
    expect((await send(restoreConfiguration, admin, { environmentId: newId(), version: 1 })).status).toBe(404);
  });
});

describe("get-variables-matrix", () => {
  it("shows at one look what one environment has and another lacks, without a value", async () => {
    const { appId, environmentIds } = await anApp({
      environments: [{ name: "Empty" }, { name: "Production" }, { name: "Staging" }],
    });
    const [none = "", production = "", staging = ""] = environmentIds;
    const add = (environmentId: string, key: string, value: string, status: "active" | "inactive" = "active") =>
      aVariable("dev-variable", admin, { environmentId, key, value, status, name: `${key} name` });
    await add(production, "A", "same-value");
    await add(staging, "A", "same-value");
    await add(staging, "B", "here", "inactive");
    await add(production, "C", "one");
    await add(staging, "C", "two");
    const answer = await send(getVariablesMatrix, admin, { appId, kind: "dev-variable" });
    const cells = (...states: [string, boolean?][]) =>
      states.map(([state, same], index) => ({
        environmentId: [none, production, staging][index],
        state,
        ...(same !== undefined && { same }),
      }));
    expect(answer.body).toEqual({
      environments: [
        { id: none, name: "Empty" },
        { id: production, name: "Production" },
        { id: staging, name: "Staging" },
      ],
      rows: [
        { key: "A", name: "A name", cells: cells(["missing"], ["set", true], ["set", true]) },
        { key: "B", name: "B name", cells: cells(["missing"], ["missing"], ["inactive", true]) },
        { key: "C", name: "C name", cells: cells(["missing"], ["set", true], ["set", false]) },
      ],
      nextCursor: null,
      total: 3,
      missing: 3,
    });
    expect(JSON.stringify(answer.body)).not.toContain("same-value");
  });

  it("is paged by key, searched, and narrowed to the keys that an environment lacks", async () => {
    const { appId, environmentIds } = await anApp({ environments: [{ name: "A" }, { name: "B" }] });
    const [one = "", two = ""] = environmentIds;
    const keys = (numbers: number[]) => numbers.map((n) => `KEY_${String(n).padStart(2, "0")}`);
    const variables = (numbers: number[]) =>
      keys(numbers)
        .map((key) => `${key}=value`)
        .join("\n");
    const all = Array.from({ length: 30 }, (_, index) => index);
    const bring = (environmentId: string, text: string) =>
      send(importVariables, admin, { environmentId, kind: "dev-variable", format: "dotenv", text, mode: "merge" });
    await bring(one, variables(all.filter((n) => n !== 3)));
    await bring(two, variables(all.filter((n) => n !== 17)));
    const read = async (query: object) =>
      (await send(getVariablesMatrix, admin, { appId, kind: "dev-variable", ...query })).body;
    const keysOf = (body: { rows: { key: string }[] }) => body.rows.map(({ key }) => key);

    const pages: string[][] = [];
    for (let cursor: string | undefined; ; ) {
      const body = await read({ limit: 12, ...(cursor && { cursor }) });
      expect([body.total, body.missing]).toEqual([30, 2]);
      expect(body.rows.every(({ cells }: { cells: unknown[] }) => cells.length === 2)).toBe(true);
      pages.push(keysOf(body));
      if (body.nextCursor === null) break;
      cursor = body.nextCursor;
    }
    expect(pages.map(({ length }) => length)).toEqual([12, 12, 6]);
    expect(pages.flat()).toEqual(keys(all));
    expect(keysOf(await read({ sort: "-key", limit: 2 }))).toEqual(keys([29, 28]));
    const whole = await read({});
    expect([keysOf(whole), whole.nextCursor]).toEqual([keys(all), null]);

    const missing = await read({ state: "missing" });
    expect([keysOf(missing), missing.total, missing.missing]).toEqual([keys([3, 17]), 2, 2]);
    const next = await read({ state: "missing", limit: 1 });
    expect(keysOf(await read({ state: "missing", limit: 1, cursor: next.nextCursor }))).toEqual(keys([17]));
    const searched = await read({ search: "key_1" });
    expect([keysOf(searched), searched.total, searched.missing]).toEqual([keys(all.slice(10, 20)), 10, 2]);
    expect(keysOf(await read({ search: "_1", state: "missing" }))).toEqual(keys([17]));
  });

  it("tells of secure variables where they are, and nothing of their values", async () => {
    const { appId, environmentIds } = await anApp({ environments: [{ name: "A" }, { name: "B" }] });
    for (const environmentId of environmentIds) {
      await aVariable("secure-variable", admin, { environmentId, key: "S", value: "canary" });
    }
    const { body } = await send(getVariablesMatrix, admin, { appId, kind: "secure-variable" });
    const cells = environmentIds.map((environmentId) => ({ environmentId, state: "set" }));
    expect(body.rows).toEqual([{ key: "S", name: "A variable", cells }]);
  });

  it("answers the values of development variables if it is asked for them, and of secure ones never", async () => {
    const { appId, environmentIds } = await anApp({ environments: [{ name: "A" }, { name: "B" }] });
    const [one = "", two = ""] = environmentIds;
    await aVariable("dev-variable", admin, { environmentId: one, key: "URL", value: "https://one" });
    await aVariable("dev-variable", admin, {
      environmentId: two,
      key: "URL",
      value: "https://two",
      status: "inactive",
    });
    await aVariable("secure-variable", admin, { environmentId: one, key: "S", value: "canary" });
    const { body } = await send(getVariablesMatrix, admin, { appId, kind: "dev-variable", values: true });
    expect(body.rows[0].cells).toEqual([
      { environmentId: one, state: "set", same: true, value: "https://one" },
      { environmentId: two, state: "inactive", same: false, value: "https://two" },
    ]);
    const secure = await send(getVariablesMatrix, admin, { appId, kind: "secure-variable", values: true });
    expect(secure.body.rows[0].cells).toEqual([
      { environmentId: one, state: "set" },
      { environmentId: two, state: "missing" },
    ]);
    for (const values of ["yes", "1", ""]) {
      expect((await send(getVariablesMatrix, admin, { appId, kind: "dev-variable", values })).status).toBe(422);
    }
  });

  it("leaves values out that are longer than 16 MiB together", async () => {
    const { appId, environmentIds } = await anApp();
    const [environmentId = ""] = environmentIds;
    const value = "x".repeat(65_536);
    await db.devVariable.createMany({
      data: Array.from({ length: 257 }, (_, n) => {
        const key = `K${n}`;
        return { id: newId(), environmentId, key, name: key, value, version: 1, updatedAt: new Date() };
      }),
    });
    const read = async (limit: number) =>
      (await send(getVariablesMatrix, admin, { appId, kind: "dev-variable", values: true, limit })).body;
    expect(await read(257)).toMatchObject({ valuesOmitted: true });
    expect((await read(257)).rows[0].cells).toEqual([{ environmentId, state: "set", same: true }]);
    const fitting = await read(256);
    expect([fitting.valuesOmitted, fitting.rows[0].cells[0].value]).toEqual([undefined, value]);
  });

  it("compares some environments, and tells which key one alone lacks", async () => {
    const names = ["Development", "Production", "QA", "Staging"];
    const { appId, environmentIds } = await anApp({ environments: names.map((name) => ({ name })) });
    const [development = "", production = "", qa = "", staging = ""] = environmentIds;
    const add = (key: string, places: string[], more: object = {}) =>
      Promise.all(
        places.map((environmentId) =>
          aVariable("dev-variable", admin, { environmentId, key, value: `${key} value`, ...more }),
        ),
      );
    await add("FORGOTTEN", [development, qa, staging]);
    await add("OWN", [staging]);
    await add("SAME", [staging, production]);
    await add("STATUS", [staging]);
    await add("STATUS", [production], { status: "inactive" });
    await add("VALUE", [staging]);
    await add("VALUE", [production], { value: "other" });
    const input = { appId, kind: "dev-variable", environmentIds: [staging, production], state: "different" };
    const { body } = await send(getVariablesMatrix, admin, input);
    expect(body.environments.map(({ name }: { name: string }) => name)).toEqual(["Staging", "Production"]);
    const cell = (environmentId: string, more: object) => ({ environmentId, ...more });
    expect(body.rows.map(({ key, cells }: { key: string; cells: object[] }) => [key, ...cells])).toEqual([
      ["FORGOTTEN", cell(staging, { state: "set", same: true }), cell(production, { state: "missing", onlyGap: true })],
      ["OWN", cell(staging, { state: "set", same: true }), cell(production, { state: "missing" })],
      ["STATUS", cell(staging, { state: "set", same: true }), cell(production, { state: "inactive", same: true })],
      ["VALUE", cell(staging, { state: "set", same: true }), cell(production, { state: "set", same: false })],
    ]);
    expect([body.total, body.missing]).toEqual([4, 2]);
    const all = await send(getVariablesMatrix, admin, { ...input, state: "" });
    expect(all.status).toBe(422);
    const caller = await aUser({
      grants: [{ scopes: ["dev-variable:read"], apps: [{ appId, environmentIds: [staging] }] }],
    });
    expect((await send(getVariablesMatrix, caller, input)).status).toBe(404);
  });

  it("shows the environments alone in which the caller reads the kind", async () => {
    const { appId, environmentIds } = await anApp({ environments: [{ name: "A" }, { name: "B" }] });
    const [one = "", two = ""] = environmentIds;
    await aVariable("dev-variable", admin, { environmentId: two, key: "HIDDEN" });
    const caller = await aUser({
      grants: [
        { scopes: ["dev-variable:read"], apps: [{ appId, environmentIds: [one] }] },
        { scopes: ["release:read"], apps: [{ appId, environmentIds: [two] }] },
      ],
    });
    const { body } = await send(getVariablesMatrix, caller, { appId, kind: "dev-variable" });
    expect(body).toMatchObject({ environments: [{ id: one, name: "A" }], rows: [], total: 0, missing: 0 });
    const stranger = await aUser();
    expect((await send(getVariablesMatrix, stranger, { appId, kind: "dev-variable" })).status).toBe(404);
  });
});
