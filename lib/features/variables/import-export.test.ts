import { beforeAll, describe, expect, it } from "vitest";
import { db } from "@/lib/db/client";
import { getConfigurationVersions } from "@/lib/features/configuration/operations/get-configuration-versions";
import { changedFields } from "@/lib/testing/audit";
import { anApp, aToken, aUser, auditCount, send, type TestUser } from "@/lib/testing/console";
import { withTwoFactor } from "@/lib/testing/two-factor";
import { aVariable } from "@/lib/testing/variables";
import { setUpTestDatabase } from "@/scripts/test-database";
import { exportVariables } from "./operations/export-variables";
import { getDevelopmentVariables } from "./operations/get-development-variables";
import { getSecureVariable } from "./operations/get-secure-variable";
import { getSecureVariables } from "./operations/get-secure-variables";
import { importVariables } from "./operations/import-variables";

setUpTestDatabase();

let admin: TestUser;

beforeAll(async () => {
  admin = await aUser({ admin: true });
  await withTwoFactor(admin, { passed: true });
});

async function anEnvironment(): Promise<string> {
  return (await anApp()).environmentIds[0] as string;
}

const KINDS = ["dev-variable", "secure-variable"] as const;
type Kind = (typeof KINDS)[number];

function importText(kind: Kind, environmentId: string, text: string, more: Record<string, unknown> = {}, who = admin) {
  const input = { environmentId, kind, format: "dotenv", text, mode: "merge", ...more };
  return send(importVariables, who, input);
}

/** The variables of an environment with their values, by key. */
async function valuesOf(kind: Kind, environmentId: string): Promise<Record<string, string>> {
  const list = kind === "dev-variable" ? getDevelopmentVariables : getSecureVariables;
  const { items } = (await send(list, admin, { environmentId, sort: "key", limit: 100 })).body;
  const pairs = items.map(async ({ id, key, value }: { id: string; key: string; value?: string }) => [
    key,
    value ?? (await send(getSecureVariable, admin, { id })).body.value,
  ]);
  return Object.fromEntries(await Promise.all(pairs));
}

const lastRecord = () => db.auditRecord.findFirstOrThrow({ orderBy: { id: "desc" } });

describe.each(KINDS)("an import of kind %s", (kind) => {
  it("sets what the file has, as one version and with one record, and leaves the rest", async () => {
    const environmentId = await anEnvironment();
    await aVariable(kind, admin, { environmentId, key: "SAME", value: "same" });
    await aVariable(kind, admin, { environmentId, key: "OLD", name: "Named", value: "old", status: "inactive" });
    await aVariable(kind, admin, { environmentId, key: "OTHER", value: "kept" });
    const before = await auditCount();
    const answer = await importText(
      kind,
      environmentId,
      "OLD=canary-new\nSAME=same\nexport NEW='two\nlines'\nEMPTY=\n",
    );
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        created: 2,
        updated: 1,
        unchanged: 1,
        removed: 0,
        changes: [
          { key: "EMPTY", action: "create" },
          { key: "NEW", action: "create" },
          { key: "OLD", action: "update" },
        ],
        errors: [],
        version: 4,
      },
    ]);
    expect(await valuesOf(kind, environmentId)).toEqual({
      EMPTY: "",
      NEW: "two\nlines",
      OLD: "canary-new",
      OTHER: "kept",
      SAME: "same",
    });
    const list = kind === "dev-variable" ? getDevelopmentVariables : getSecureVariables;
    const { items } = (await send(list, admin, { environmentId, search: "OLD" })).body;
    expect(items).toMatchObject([{ key: "OLD", name: "Named", status: "inactive" }]);
    const [newest] = (await send(getConfigurationVersions, admin, { environmentId })).body.items;
    expect(newest).toMatchObject({ version: 4, changeCount: 3 });
    const records = await db.auditRecord.findMany({ where: { recordId: environmentId } });
    expect(records).toMatchObject([{ table: "ConfigurationVersion", action: "import" }]);
    expect(JSON.stringify([answer.body, newest, records.map(({ changes }) => changes)])).not.toContain("canary");
    // Three creations, one import, and for secrets each value that was revealed above.
    expect(await auditCount()).toBe(before + 1 + (kind === "secure-variable" ? 5 : 0));
  });

  it("removes with replace what the file does not have, and restores to what was", async () => {
    const environmentId = await anEnvironment();
    await aVariable(kind, admin, { environmentId, key: "GONE" });
    await aVariable(kind, admin, { environmentId, key: "STAYS", value: "1" });
    const { body } = await importText(kind, environmentId, "STAYS=1", { mode: "replace" });
    expect(body).toMatchObject({ created: 0, updated: 0, unchanged: 1, removed: 1, version: 3 });
    expect(await valuesOf(kind, environmentId)).toEqual({ STAYS: "1" });
  });

  it("changes nothing where a line is wrong, and names each by its number in the caller's language", async () => {
    const environmentId = await anEnvironment();
    const { body, status } = await importText(kind, environmentId, "A=1\nB 2\nC=canary\n9=x\nA=2");
    expect(status).toBe(200);
    expect(body).toEqual({
      created: 0,
      updated: 0,
      unchanged: 0,
      removed: 0,
      changes: [],
      errors: [
        { line: 2, code: "syntax", message: "This line cannot be read." },
        { line: 4, code: "key", message: expect.stringContaining("key") },
        { line: 5, code: "duplicate", message: "This key already occurs further up." },
      ],
      version: 0,
    });
    expect(await valuesOf(kind, environmentId)).toEqual({});
    expect(await lastRecord()).toMatchObject({ action: "import-refused", recordId: environmentId });
  });

  it("names a key with spaces, and nothing of its value", async () => {
    const environmentId = await anEnvironment();
    const { body } = await importText(kind, environmentId, `BAD KEY=canary\n${"long ".repeat(40)}=canary`);
    expect(body.errors).toEqual([
      { line: 1, code: "key", message: "BAD KEY: a key has no spaces." },
      { line: 2, code: "key", message: `${"long ".repeat(12)}…: a key has no spaces.` },
    ]);
  });

  it("tells with dryRun the old and the new value of each development variable, and of no secure one", async () => {
    const environmentId = await anEnvironment();
    await aVariable(kind, admin, { environmentId, key: "A", value: "canary-old" });
    await aVariable(kind, admin, { environmentId, key: "GONE", value: "canary-gone" });
    const options = { dryRun: true, mode: "replace" };
    const { body } = await importText(kind, environmentId, "A=canary-new\nB=canary-b", options);
    const isPlain = kind === "dev-variable";
    expect(body.changes).toEqual([
      { key: "A", action: "update", ...(isPlain && { before: "canary-old", after: "canary-new" }) },
      { key: "B", action: "create", ...(isPlain && { after: "canary-b" }) },
      { key: "GONE", action: "delete", ...(isPlain && { before: "canary-gone" }) },
    ]);
    if (!isPlain) expect(JSON.stringify(body)).not.toContain("canary");
  });

  it("only tells with dryRun what would change, and makes no version where nothing does", async () => {
    const environmentId = await anEnvironment();
    await aVariable(kind, admin, { environmentId, key: "A", value: "1" });
    const preview = await importText(kind, environmentId, "A=2\nB=1", { dryRun: true });
    expect(preview.body).toMatchObject({ created: 1, updated: 1, errors: [], version: 1 });
    expect(await valuesOf(kind, environmentId)).toEqual({ A: "1" });
    const same = await importText(kind, environmentId, "A=1", { mode: "replace" });
    expect(same.body).toMatchObject({ created: 0, updated: 0, unchanged: 1, removed: 0, version: 1 });
  });

  it("is one version however many variables there are, and its answer names at most 100 errors", async () => {
    const environmentId = await anEnvironment();
    const text = Array.from({ length: 5_000 }, (_, index) => `K${index}=${index}`).join("\n");
    expect((await importText(kind, environmentId, text)).body).toMatchObject({ created: 5_000, version: 1 });
    const wrong = Array.from({ length: 300 }, () => "?").join("\n");
    expect((await importText(kind, environmentId, wrong)).body.errors).toHaveLength(100);
  }, 60_000);

  it("needs the right to change the kind", async () => {
    const environmentId = await anEnvironment();
    const other = kind === "dev-variable" ? "secure-variable:write" : "dev-variable:write";
    const caller = await aUser({ grants: [{ scopes: [other, `${kind}:read`] }] });
    await withTwoFactor(caller, { passed: true });
    const before = await auditCount();
    expect((await importText(kind, environmentId, "A=1", {}, caller)).status).toBe(403);
    expect((await importText(kind, environmentId, "A=1", { dryRun: true }, caller)).status).toBe(403);
    expect((await importText(kind, environmentId, "A=1", {}, await aUser())).status).toBe(404);
    expect(await auditCount()).toBe(before);
  });
});

describe.each(["dotenv", "json", "yaml"])("a file as %s", (format) => {
  it.each(KINDS)("has the active variables of kind %s, and is read back as the same", async (kind) => {
    const { environmentIds } = await anApp({ environments: [{ name: "QA" }, { name: "Other" }] });
    const [environmentId = "", other = ""] = environmentIds;
    const values = { A_1: "plain", B: ' it\'s "quoted" $x\n\tlines\r\n#', C: "1.10", "d.e-f": "é😀" };
    for (const [key, value] of Object.entries(values)) await aVariable(kind, admin, { environmentId, key, value });
    await aVariable(kind, admin, { environmentId, key: "OFF", status: "inactive" });
    const answer = await send(exportVariables, admin, { environmentId, kind, format });
    expect(answer.status).toBe(200);
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(answer.headers.get("content-disposition")).toMatch(/^attachment; .*QA\.(env|json|yaml)/);
    const text = typeof answer.body === "string" ? answer.body : JSON.stringify(answer.body);
    expect(text).not.toContain("OFF");
    const copy = await importText(kind, other, text, { format });
    expect(copy.body).toMatchObject({ created: 4, errors: [] });
    expect(await valuesOf(kind, other)).toEqual(values);
  });
});

describe("an import of secure variables", () => {
  it.each([true, false])("asks for what a reveal asks, and is recorded as one, with dryRun %s", async (dryRun) => {
    const { appId, environmentIds } = await anApp();
    const [environmentId = ""] = environmentIds;
    await aVariable("secure-variable", admin, { environmentId, key: "PIN", value: "4711" });
    const person = await aUser({ grants: [{ scopes: ["secure-variable:write"] }] });
    await withTwoFactor(person, { passed: true });
    const earlier = new Date(Date.now() - 16 * 60_000);
    await db.session.update({ where: { id: person.sessionId }, data: { secondFactorConfirmedAt: earlier } });
    const before = await auditCount();
    const refused = await importText("secure-variable", environmentId, "PIN=4711", { dryRun }, person);
    expect([refused.status, refused.body.code]).toEqual([403, "two_factor_required"]);
    expect(await auditCount()).toBe(before);
    const dev = await importText("dev-variable", environmentId, "PIN=4711", { dryRun }, admin);
    expect(dev.status).toBe(200);
    expect((await lastRecord()).changes).not.toHaveProperty("compared");
    const token = await aToken({ appId, environmentId, scopes: ["secure-variable:write"] });
    const answer = await importText("secure-variable", environmentId, "PIN=4711\nNEW=1", { dryRun }, token as never);
    expect(answer.body).toMatchObject({ created: 1, unchanged: 1 });
    expect(await lastRecord()).toMatchObject({ recordId: environmentId, changes: { compared: [null, 1] } });
  });
});

describe("an export of secure variables", () => {
  it("is a reveal: it is recorded, and wants a recent second factor of people", async () => {
    const { appId, environmentIds } = await anApp();
    const [environmentId = ""] = environmentIds;
    await aVariable("secure-variable", admin, { environmentId, key: "S", value: "canary" });
    const input = { environmentId, kind: "secure-variable", format: "dotenv" };
    const before = await auditCount();
    expect((await send(exportVariables, admin, input)).body).toBe("S=canary\n");
    expect(await auditCount()).toBe(before + 1);
    const record = await lastRecord();
    expect(record).toMatchObject({ table: "SecureVariable", action: "export", recordId: environmentId });
    expect(changedFields(record)).toEqual({ format: [null, "dotenv"], entries: [null, 1] });

    const person = await aUser({ grants: [{ scopes: ["secure-variable:read"] }] });
    await withTwoFactor(person, { passed: true });
    const earlier = new Date(Date.now() - 16 * 60_000);
    await db.session.update({ where: { id: person.sessionId }, data: { secondFactorConfirmedAt: earlier } });
    const refused = await send(exportVariables, person, input);
    expect([refused.status, refused.body.code]).toEqual([403, "two_factor_required"]);
    const dev = await aUser({ grants: [{ scopes: ["dev-variable:read"] }] });
    expect((await send(exportVariables, dev, input)).status).toBe(403);
    expect(await auditCount()).toBe(before + 1);
    const token = await aToken({ appId, environmentId, scopes: ["secure-variable:read"] });
    expect((await send(exportVariables, token, input)).status).toBe(200);
  });

  it("of development variables is no reveal, and is not recorded", async () => {
    const environmentId = await anEnvironment();
    const dev = await aUser({ grants: [{ scopes: ["dev-variable:read"] }] });
    const before = await auditCount();
    const input = { environmentId, kind: "dev-variable", format: "json" };
    expect((await send(exportVariables, dev, input)).body).toEqual({});
    expect(await auditCount()).toBe(before);
  });
});
