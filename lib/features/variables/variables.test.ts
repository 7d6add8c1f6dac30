import { beforeAll, describe, expect, it } from "vitest";
import { db } from "@/lib/db/client";
import { queryRows, raw, sql } from "@/lib/db/query";
import { openSecret } from "@/lib/features/configuration/data/secrets";
import { SealedError } from "@/lib/kernel/crypto/sealed";
import { changedFields } from "@/lib/testing/audit";
import { anApp, aToken, aUser, auditCount, type Caller, send, sendRaw, type TestUser } from "@/lib/testing/console";
import { inOrder, readPages } from "@/lib/testing/lists";
import { withTwoFactor } from "@/lib/testing/two-factor";
import { aKey, aVariable } from "@/lib/testing/variables";
import messages from "@/messages/en.json";
import { setUpTestDatabase } from "@/scripts/test-database";
import { createDevelopmentVariable } from "./operations/create-development-variable";
import { createSecureVariable } from "./operations/create-secure-variable";
import { deleteDevelopmentVariable } from "./operations/delete-development-variable";
import { deleteSecureVariable } from "./operations/delete-secure-variable";
import { getDevelopmentVariable } from "./operations/get-development-variable";
import { getDevelopmentVariables } from "./operations/get-development-variables";
import { getSecureVariable } from "./operations/get-secure-variable";
import { getSecureVariables } from "./operations/get-secure-variables";
import { updateDevelopmentVariable } from "./operations/update-development-variable";
import { updateSecureVariable } from "./operations/update-secure-variable";

setUpTestDatabase();

let admin: TestUser;
let appId: string;
let environmentId: string;

beforeAll(async () => {
  admin = await aUser({ admin: true });
  await withTwoFactor(admin, { passed: true });
  const app = await anApp();
  appId = app.appId;
  environmentId = app.environmentIds[0] as string;
});

const KINDS = [
  {
    kind: "dev-variable" as const,
    table: "DevVariable",
    create: createDevelopmentVariable,
    update: updateDevelopmentVariable,
    remove: deleteDevelopmentVariable,
    get: getDevelopmentVariable,
    list: getDevelopmentVariables,
  },
  {
    kind: "secure-variable" as const,
    table: "SecureVariable",
    create: createSecureVariable,
    update: updateSecureVariable,
    remove: deleteSecureVariable,
    get: getSecureVariable,
    list: getSecureVariables,
  },
];

/** Returns a right input with the given changes. */
const input = (changes: Record<string, unknown> = {}) => ({
  environmentId,
  name: "API",
  key: aKey(),
  value: "value",
  ...changes,
});

const lastRecord = () => db.auditRecord.findFirstOrThrow({ orderBy: { id: "desc" } });

async function versionOf(environment: string): Promise<number> {
  return (await db.environment.findUniqueOrThrow({ where: { id: environment } })).configurationVersion;
}

describe.each(KINDS)("a variable of kind $kind", ({ kind, table, create, update, remove, get, list }) => {
  const isSecure = kind === "secure-variable";

  it("is created, changed, read and deleted, and each change makes the next version of the configuration", async () => {
    const { environmentIds } = await anApp();
    const [place = ""] = environmentIds;
    const created = await send(create, admin, { environmentId: place, name: " API ", key: "API_KEY", value: " v\r\n" });
    expect(created.status).toBe(201);
    expect(created.body).toEqual({
      id: expect.any(String),
      environmentId: place,
      name: "API",
      key: "API_KEY",
      status: "active",
      version: 1,
      updatedAt: expect.stringMatching(/Z$/),
      updatedBy: { kind: "user", id: admin.userId, name: "Ada Lovelace" },
      ...(!isSecure && { value: " v\r\n" }),
    });
    const { id } = created.body;
    expect((await send(get, admin, { id })).body).toEqual({ ...created.body, value: " v\r\n" });

    const changed = await send(update, admin, { id, status: "inactive" });
    expect(changed.body).toMatchObject({ id, key: "API_KEY", status: "inactive", version: 2 });
    const renamed = await send(update, admin, { id, key: "OTHER", value: "w" });
    expect(renamed.body).toMatchObject({ id, key: "OTHER", status: "inactive", version: 3 });
    expect((await send(get, admin, { id })).body.value).toBe("w");

    expect((await send(remove, admin, { id })).status).toBe(204);
    expect((await send(get, admin, { id })).status).toBe(404);
    expect((await send(remove, admin, { id })).status).toBe(404);
    expect(await versionOf(place)).toBe(4);
  });

  it("keeps a secret value when only its key changes", async () => {
    const { id } = await aVariable(kind, admin, { environmentId, value: "kept" });
    await send(update, admin, { id, key: aKey() });
    expect((await send(get, admin, { id })).body.value).toBe("kept");
  });

  it("makes no version for an update that changes nothing, and still records it", async () => {
    const { id, key, version } = await aVariable(kind, admin, { environmentId, value: "same" });
    const before = await auditCount();
    // The value of a secure variable is written without a comparison.
    const same = isSecure ? {} : { value: "same" };
    const answer = await send(update, admin, { id, key, ...same, status: "active", name: "A variable" });
    expect([answer.status, answer.body.version, await versionOf(environmentId)]).toEqual([200, version, version]);
    expect(await auditCount()).toBe(before + 1);
    expect(changedFields(await lastRecord())).toEqual({});
  });

  it("is recorded with what changed, and of its value only that it changed", async () => {
    const value = "only-in-the-variable-1c7e";
    const created = await aVariable(kind, admin, { environmentId, value });
    const { id, key, version } = created;
    expect(await lastRecord()).toMatchObject({
      table,
      action: "create",
      recordId: id,
      changes: {
        environmentId: [null, environmentId],
        key: [null, key],
        value: [null, "•••"],
        version: [null, version],
      },
    });
    await send(update, admin, { id, value: `${value}-2`, name: "New" });
    expect(changedFields(await lastRecord())).toEqual({
      name: ["A variable", "New"],
      value: ["•••", "•••"],
      version: [version, version + 1],
    });
    await send(update, admin, { id, name: "Newer" });
    expect(changedFields(await lastRecord())).toEqual({ name: ["New", "Newer"], version: [version + 1, version + 2] });
    await send(remove, admin, { id });
    const records = await db.auditRecord.findMany({ where: { recordId: id }, orderBy: { id: "asc" } });
    expect(records.map(({ action }) => action)).toEqual(["create", "update", "update", "delete"]);
    expect(JSON.stringify(records.map(({ changes }) => changes))).not.toContain(value);
  });

  it("is created once by two at the same moment; the other is told that the key is taken", async () => {
    const key = aKey();
    const before = await versionOf(environmentId);
    const answers = await Promise.all([1, 2].map(() => send(create, admin, input({ key }))));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409]);
    const refused = answers.find(({ status }) => status === 409);
    expect(refused?.body.errors).toEqual([expect.objectContaining({ path: "key", code: "taken" })]);
    expect(await versionOf(environmentId)).toBe(before + 1);
  });

  it("has a key in exact case, of its own in its environment and kind", async () => {
    const key = aKey();
    const { id } = await aVariable(kind, admin, { environmentId, key });
    await aVariable(kind, admin, { environmentId, key: key.toLowerCase() });
    const other = await anApp();
    await aVariable(kind, admin, { environmentId: other.environmentIds[0] as string, key });
    const answer = await send(update, admin, { id, key: key.toLowerCase() });
    expect([answer.status, answer.body.errors[0].path]).toEqual([409, "key"]);
  });

  it.each(["A", "_", "a.b-c_9", "K".repeat(128)])("takes the key %s", async (key) => {
    const { environmentIds } = await anApp();
    expect((await send(create, admin, input({ environmentId: environmentIds[0], key }))).status).toBe(201);
  });

  it.each([
    ["key", { key: "" }],
    ["key", { key: "9A" }],
    ["key", { key: "A B" }],
    ["key", { key: "Ä" }],
    ["key", { key: "A\n" }],
    ["key", { key: "K".repeat(129) }],
    ["key", { key: undefined }],
    ["name", { name: " " }],
    ["name", { name: "n".repeat(101) }],
    ["value", { value: "" }],
    ["value", { value: undefined }],
    ["value", { value: 7 }],
    ["value", { value: "a\u0000b" }],
    ["value", { value: "\ud800" }],
    ["value", { value: "x".repeat(65_537) }],
    ["value", { value: "é".repeat(32_769) }],
    ["status", { status: "on" }],
    ["environmentId", { environmentId: "x" }],
    ["id", { id: "019a0000-0000-7000-8000-00000000dead" }],
  ])("refuses a wrong %s", async (path, changes) => {
    const before = [await auditCount(), await versionOf(environmentId)];
    const answer = await send(create, admin, input(changes));
    expect([answer.status, answer.body.errors[0].path]).toEqual([422, path]);
    expect([await auditCount(), await versionOf(environmentId)]).toEqual(before);
  });

  it.each(["x".repeat(65_537), "é".repeat(32_769)])("names the limit of a value in bytes", async (value) => {
    const { body } = await send(create, admin, input({ value }));
    expect(body.errors).toEqual([
      { path: "value", code: "too_big", message: messages.validation.valueBytes.replace("{limit, number}", "65,536") },
    ]);
  });

  it.each([
    "x".repeat(65_536),
    "é".repeat(32_768),
    " leading, trailing \t\n",
    "line\r\nbreaks\n\r\u2028",
    "😀\u{10ffff}",
    '"quoted" $(not run) `nor this` \\n',
  ])("keeps a value byte for byte", async (value) => {
    const { id } = await aVariable(kind, admin, { environmentId, value });
    expect((await send(get, admin, { id })).body.value).toBe(value);
  });

  it("is exported as CSV as the list is filtered, and without its value where it is secure", async () => {
    const { environmentIds } = await anApp();
    const [place = ""] = environmentIds;
    await send(create, admin, { environmentId: place, name: "Wanted", key: "ONE", value: "the value" });
    await send(create, admin, { environmentId: place, name: "Other", key: "TWO", value: "the value" });
    const answer = await sendRaw(list, admin, { environmentId: place, search: "want", format: "csv" });
    expect(answer.headers.get("content-type")).toContain("text/csv");
    const [header, line = "", ...rest] = (await answer.text()).split("\r\n");
    const columns = "id,key,name,status,version,updatedAt,updatedBy";
    expect(header).toBe(isSecure ? columns : `${columns},value`);
    expect(line).toContain(`"ONE","Wanted","active",1,`);
    expect(line.includes("the value")).toBe(!isSecure);
    expect(rest).toEqual([""]);
  });

  it("is listed without its value where it is secure, by status and search, with % and _ meaning themselves", async () => {
    const { environmentIds } = await anApp();
    const [place = ""] = environmentIds;
    await aVariable(kind, admin, { environmentId: place, name: "Mail_1", key: "MAIL", value: "hidden-in-lists" });
    await aVariable(kind, admin, { environmentId: place, name: "MailX1", key: "PORT", status: "inactive" });
    await aVariable(kind, admin, { environmentId: place, name: "100%", key: "mail.host" });
    const keys = async (filter: Record<string, unknown>) =>
      (await send(list, admin, { environmentId: place, sort: "key", ...filter })).body.items.map(
        (item: { key: string }) => item.key,
      );
    expect(await keys({ search: "mail" })).toEqual(["MAIL", "mail.host", "PORT"]);
    expect(await keys({ search: "mail_1" })).toEqual(["MAIL"]);
    expect(await keys({ search: "%" })).toEqual(["mail.host"]);
    expect(await keys({ status: "inactive" })).toEqual(["PORT"]);
    const { body } = await send(list, admin, { environmentId: place });
    expect(body.total).toBe(3);
    expect(JSON.stringify(body).includes("hidden-in-lists")).toBe(!isSecure);
    expect(body.items[0]).not.toHaveProperty(isSecure ? "value" : "sealed");
  });

  it.each(["name", "-name", "key", "-key", "updatedAt", "-updatedAt"])(
    "is given once over three pages in the order of %s",
    async (sort) => {
      const { environmentIds } = await anApp();
      const [place = ""] = environmentIds;
      const names: [string, string][] = [
        ["a", "K3"],
        ["b", "K1"],
        ["b", "K5"],
        ["c", "K2"],
        ["b", "K4"],
      ];
      for (const [name, key] of names) await aVariable(kind, admin, { environmentId: place, name, key });
      const all = (await send(list, admin, { environmentId: place })).body.items;
      const { pages, totals } = await readPages(list, admin, { environmentId: place, sort, limit: 2 });
      expect(pages.map((page) => page.length)).toEqual([2, 2, 1]);
      expect(totals).toEqual([5, 5, 5]);
      expect(pages.flat().map(({ id }) => id)).toEqual(inOrder(all as { id: string }[], sort).map(({ id }) => id));
    },
  );

  it("says which token changed it", async () => {
    const scopes = [`${kind}:write` as const];
    const token = await aToken({ appId, environmentId, scopes });
    const { updatedBy } = await aVariable(kind, token, { environmentId });
    expect(updatedBy).toEqual({ kind: "token", id: token.tokenId, name: "CI" });
  });

  it("is out of reach with the scope of the other kind, or in another environment", async () => {
    const other = isSecure ? "dev-variable:write" : "secure-variable:write";
    const caller = await aUser({ grants: [{ scopes: [other] }] });
    await withTwoFactor(caller, { passed: true });
    const { id } = await aVariable(kind, admin, { environmentId });
    const elsewhere = await anApp();
    const stranger = await aUser({ grants: [{ scopes: [`${kind}:write`], apps: [{ appId: elsewhere.appId }] }] });
    await withTwoFactor(stranger, { passed: true });
    const before = await auditCount();
    const calls: [Caller, number][] = [
      [caller, 403],
      [stranger, 404],
    ];
    for (const [who, status] of calls) {
      expect((await send(get, who, { id })).status).toBe(status);
      expect((await send(update, who, { id, name: "X" })).status).toBe(status);
      expect((await send(remove, who, { id })).status).toBe(status);
      expect((await send(list, who, { environmentId })).status).toBe(status);
      expect((await send(create, who, input())).status).toBe(status);
    }
    expect(await auditCount()).toBe(before);
  });
});

describe("a secure variable", () => {
  it("is written as a new version where the given value is the one that it has, so the answer tells nothing", async () => {
    const { id, version } = await aVariable("secure-variable", admin, { environmentId, value: "4711" });
    const right = await send(updateSecureVariable, admin, { id, value: "4711" });
    const wrong = await send(updateSecureVariable, admin, { id, value: "4712" });
    expect([right.body.version, wrong.body.version]).toEqual([version + 1, version + 2]);
  });

  it("is revealed with a record before the answer, which nobody stores", async () => {
    const { id } = await aVariable("secure-variable", admin, { environmentId, value: "revealed" });
    const before = await auditCount();
    const answer = await send(getSecureVariable, admin, { id });
    expect([answer.status, answer.body.value, answer.headers.get("cache-control")]).toEqual([
      200,
      "revealed",
      "no-store",
    ]);
    expect(await auditCount()).toBe(before + 1);
    expect(await lastRecord()).toMatchObject({
      table: "SecureVariable",
      action: "reveal",
      recordId: id,
      userId: admin.userId,
      changes: {},
    });
  });

  it("wants a second factor of people and none of tokens", async () => {
    const { id } = await aVariable("secure-variable", admin, { environmentId });
    const person = await aUser({ grants: [{ scopes: ["secure-variable:write"] }] });
    const before = await auditCount();
    const refused = await send(getSecureVariable, person, { id });
    expect([refused.status, refused.body.code]).toEqual([403, "two_factor_enrollment_required"]);
    expect((await send(updateSecureVariable, person, { id, name: "X" })).status).toBe(403);
    expect((await send(getSecureVariables, person, { environmentId })).status).toBe(403);
    expect(await auditCount()).toBe(before);
    const token = await aToken({ appId, environmentId, scopes: ["secure-variable:read"] });
    expect((await send(getSecureVariable, token, { id })).status).toBe(200);
  });

  it("is sealed in its row and in the history, and opens in neither another row nor another column", async () => {
    const value = "sealed-canary-77ab";
    const one = await aVariable("secure-variable", admin, { environmentId, value });
    const other = await aVariable("secure-variable", admin, { environmentId, value: "other" });
    const columns: [string, string][] = [
      ["SecureVariable", "value"],
      ["ConfigurationSecret", "value"],
    ];
    for (const [table, column] of columns) {
      const rows = await queryRows<{ value: Uint8Array }>(
        db,
        sql`SELECT ${raw(`"${column}"`)} AS "value" FROM ${raw(`"${table}"`)}`,
      );
      expect(rows.length).toBeGreaterThan(1);
      for (const row of rows) expect(Buffer.from(row.value).includes(value)).toBe(false);
    }
    const { value: sealed } = await db.secureVariable.findUniqueOrThrow({ where: { id: one.id } });
    const place = { table: "SecureVariable", id: one.id };
    expect(openSecret({ value: sealed, password: null }, place).value.toString()).toBe(value);
    expect(() => openSecret({ value: sealed, password: sealed }, place)).toThrow(SealedError);
    await db.secureVariable.update({ where: { id: other.id }, data: { value: sealed } });
    const before = await auditCount();
    const moved = await send(getSecureVariable, admin, { id: other.id });
    expect([moved.status, moved.body.code]).toEqual([500, "unexpected"]);
    expect(JSON.stringify(moved.body)).not.toContain(value);
    expect(await auditCount()).toBe(before);
  });

  it("can be given a new value, switched off and deleted where its value does not open", async () => {
    const { id } = await aVariable("secure-variable", admin, { environmentId });
    const { id: otherId } = await aVariable("secure-variable", admin, { environmentId });
    const breakValue = async (target: string) => {
      const [row] = await queryRows<{ value: Uint8Array<ArrayBuffer> }>(
        db,
        sql`SELECT "value" FROM "SecureVariable" WHERE "id" = ${target}::uuid`,
      );
      const value = Uint8Array.from(row?.value as Uint8Array);
      value[value.length - 1] = (value.at(-1) as number) ^ 1;
      await db.secureVariable.update({ where: { id: target }, data: { value } });
    };
    await breakValue(id);
    await breakValue(otherId);
    expect((await send(updateSecureVariable, admin, { id, status: "inactive" })).status).toBe(200);
    expect((await send(updateSecureVariable, admin, { id, value: "new" })).status).toBe(200);
    expect((await send(getSecureVariable, admin, { id })).body.value).toBe("new");
    expect((await send(deleteSecureVariable, admin, { id: otherId })).status).toBe(204);
  });
});
