import { SAMPLE_PASSWORD } from "@slipway/certificates/testing";
import { beforeAll, describe, expect, it } from "vitest";
import { db } from "@/lib/db/client";
import { getSecureCertificate } from "@/lib/features/certificates/operations/get-secure-certificate";
import { getSecureCertificates } from "@/lib/features/certificates/operations/get-secure-certificates";
import { getDevelopmentVariables } from "@/lib/features/variables/operations/get-development-variables";
import { getSecureVariable } from "@/lib/features/variables/operations/get-secure-variable";
import { getSecureVariables } from "@/lib/features/variables/operations/get-secure-variables";
import { newId } from "@/lib/kernel/ids";
import { aCertificate, certificateValue } from "@/lib/testing/certificates";
import { anApp, aToken, aUser, auditCount, send, type TestUser } from "@/lib/testing/console";
import { withTwoFactor } from "@/lib/testing/two-factor";
import { aVariable } from "@/lib/testing/variables";
import { setUpTestDatabase } from "@/scripts/test-database";
import { copyVariables } from "./operations/copy-variables";
import type { EntryKind, VariableKind } from "./schema";

setUpTestDatabase();

let admin: TestUser;

beforeAll(async () => {
  admin = await aUser({ admin: true });
  await withTwoFactor(admin, { passed: true });
});

async function twoPlaces() {
  const { appId, environmentIds } = await anApp({ environments: [{ name: "Staging" }, { name: "Production" }] });
  const [from = "", to = ""] = environmentIds;
  return { appId, from, to };
}

function copy(
  kind: EntryKind,
  { from, to }: { from: string; to: string },
  keys: string[],
  more: Record<string, unknown> = {},
  who: Parameters<typeof send>[1] = admin,
) {
  return send(copyVariables, who, { fromEnvironmentId: from, toEnvironmentId: to, kind, keys, ...more });
}

async function variablesOf(kind: VariableKind, environmentId: string) {
  const list = kind === "dev-variable" ? getDevelopmentVariables : getSecureVariables;
  const { items } = (await send(list, admin, { environmentId, sort: "key", limit: 100 })).body;
  const shown = items.map(async ({ id, key, name, status, value }: Record<string, string>) => [
    key,
    name,
    status,
    value ?? (await send(getSecureVariable, admin, { id })).body.value,
  ]);
  return Promise.all(shown);
}

const lastRecord = () => db.auditRecord.findFirst({ orderBy: { id: "desc" } });

describe.each(["dev-variable", "secure-variable"] as const)("a copy of kind %s", (kind) => {
  it("gives the values of some keys to another environment as one version, and keeps the names there", async () => {
    const place = await twoPlaces();
    const add = (environmentId: string, key: string, value: string, more: object = {}) =>
      aVariable(kind, admin, { environmentId, key, value, ...more });
    await add(place.from, "CHANGED", "canary-new", { name: "Source name" });
    await add(place.from, "SAME", "same");
    await add(place.from, "NEW", "canary-added", { name: "A new one", status: "inactive" });
    await add(place.from, "LEFT", "left");
    await add(place.to, "CHANGED", "canary-old", { name: "Target name" });
    await add(place.to, "SAME", "same");
    const answer = await copy(kind, place, ["CHANGED", "SAME", "NEW", "NEW"]);
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        created: 1,
        updated: 1,
        unchanged: 1,
        removed: 0,
        changes: [
          { key: "CHANGED", action: "update" },
          { key: "NEW", action: "create" },
        ],
        errors: [],
        version: 3,
      },
    ]);
    expect(await lastRecord()).toMatchObject({ table: "ConfigurationVersion", action: "copy", recordId: place.to });
    expect(JSON.stringify(await lastRecord(), (_, value) => String(value))).not.toContain("canary");
    expect(await variablesOf(kind, place.to)).toEqual([
      ["CHANGED", "Target name", "active", "canary-new"],
      ["NEW", "A new one", "inactive", "canary-added"],
      ["SAME", "A variable", "active", "same"],
    ]);
    const again = await copy(kind, place, ["CHANGED", "SAME", "NEW"]);
    expect(again.body).toMatchObject({ created: 0, updated: 0, unchanged: 3, changes: [], version: 3 });
  });

  it("only tells with dryRun what would change: of development variables the values, of secure ones none", async () => {
    const place = await twoPlaces();
    await aVariable(kind, admin, { environmentId: place.from, key: "A", value: "canary-new" });
    await aVariable(kind, admin, { environmentId: place.to, key: "A", value: "canary-old" });
    const { body } = await copy(kind, place, ["A"], { dryRun: true });
    const values = kind === "dev-variable" ? { before: "canary-old", after: "canary-new" } : {};
    expect(body).toMatchObject({ updated: 1, version: 1, changes: [{ key: "A", action: "update", ...values }] });
    if (kind === "secure-variable") expect(JSON.stringify(body)).not.toContain("canary");
    expect(await lastRecord()).toMatchObject({ action: "copy-previewed", recordId: place.to });
    expect(await variablesOf(kind, place.to)).toMatchObject([["A", "A variable", "active", "canary-old"]]);
  });

  it("changes nothing where a key is missing at the source, and names it", async () => {
    const place = await twoPlaces();
    await aVariable(kind, admin, { environmentId: place.from, key: "A" });
    const { status, body } = await copy(kind, place, ["A", "NONE"]);
    expect([status, body.code]).toEqual([422, "validation_failed"]);
    expect(body.errors).toMatchObject([{ path: "keys", message: expect.stringContaining("NONE") }]);
    expect(await variablesOf(kind, place.to)).toEqual([]);
  });

  it("needs the right to read at the source and to write at the target", async () => {
    const place = await twoPlaces();
    await aVariable(kind, admin, { environmentId: place.from, key: "A" });
    const person = async (atSource: "read" | "write" | null, atTarget: "read" | "write" | null) => {
      const grants = [
        ...(atSource ? [{ scopes: [`${kind}:${atSource}` as const], environmentId: place.from }] : []),
        ...(atTarget ? [{ scopes: [`${kind}:${atTarget}` as const], environmentId: place.to }] : []),
      ].map(({ scopes, environmentId }) => ({
        scopes,
        apps: [{ appId: place.appId, environmentIds: [environmentId] }],
      }));
      const user = await aUser({ grants });
      await withTwoFactor(user, { passed: true });
      return user;
    };
    const outcome = async (who: Parameters<typeof send>[1]) =>
      (await copy(kind, place, ["A"], { dryRun: true }, who)).status;
    expect(await outcome(await person("read", "write"))).toBe(200);
    expect(await outcome(await person("write", "read"))).toBe(403);
    expect(await outcome(await person(null, "write"))).toBe(404);
    expect(await outcome(await person("write", null))).toBe(404);
    const token = await aToken({ appId: place.appId, environmentId: place.to, scopes: [`${kind}:write`] });
    expect(await outcome(token)).toBe(404);
  });
});

it("a copy within one environment, and one from or to an environment that is none, is refused", async () => {
  const { from, to } = await twoPlaces();
  await aVariable("dev-variable", admin, { environmentId: from, key: "A" });
  const itself = await copy("dev-variable", { from, to: from }, ["A"]);
  expect([itself.status, itself.body.errors[0].path]).toEqual([422, "toEnvironmentId"]);
  expect((await copy("dev-variable", { from: newId(), to }, ["A"])).status).toBe(404);
  expect((await copy("dev-variable", { from, to: newId() }, ["A"])).status).toBe(404);
  for (const keys of [[], ["a b"], Array.from({ length: 10_001 }, (_, n) => `K${n}`)]) {
    expect((await copy("dev-variable", { from, to }, keys)).status).toBe(422);
  }
});

describe("a copy of secrets", () => {
  it.each([true, false])("asks for what a reveal asks, and tells nothing before, with dryRun %s", async (dryRun) => {
    const place = await twoPlaces();
    for (const environmentId of [place.from, place.to]) {
      await aVariable("secure-variable", admin, { environmentId, key: "PIN", value: "4711" });
    }
    const person = await aUser({ grants: [{ scopes: ["secure-variable:write"] }] });
    await withTwoFactor(person, { passed: true });
    const earlier = new Date(Date.now() - 16 * 60_000);
    await db.session.update({ where: { id: person.sessionId }, data: { secondFactorConfirmedAt: earlier } });
    const before = await auditCount();
    const refused = await copy("secure-variable", place, ["PIN"], { dryRun }, person);
    expect([refused.status, refused.body.code]).toEqual([403, "two_factor_required"]);
    expect(JSON.stringify(refused.body)).not.toContain("unchanged");
    expect(await auditCount()).toBe(before);
    const { body } = await copy("secure-variable", place, ["PIN"], { dryRun });
    expect(body).toMatchObject({ unchanged: 1, changes: [] });
    expect(await lastRecord()).toMatchObject({ changes: { compared: [null, 1] } });
  });

  it("copies a certificate with its file, its password and what is known of it", async () => {
    const place = await twoPlaces();
    const file = { fileName: "push.p12", value: certificateValue("modern.p12"), password: SAMPLE_PASSWORD };
    const source = await aCertificate(admin, { environmentId: place.from, key: "PUSH", ...file });
    await aCertificate(admin, { environmentId: place.to, key: "PUSH", name: "Stays" });
    const { body } = await copy("secure-certificate", place, ["PUSH"]);
    expect(body).toMatchObject({ created: 0, updated: 1, version: 2 });
    const [copied] = (await send(getSecureCertificates, admin, { environmentId: place.to })).body.items;
    const { fileName, format, sha256, expirationDate, subject } = source;
    expect(copied).toMatchObject({ name: "Stays", fileName, format, sha256, expirationDate, subject });
    const reveal = async (id: string) => (await send(getSecureCertificate, admin, { id })).body;
    const [one, other] = [await reveal(source.id), await reveal(copied.id)];
    expect([other.value, other.password]).toEqual([one.value, one.password]);
    expect((await copy("secure-certificate", place, ["PUSH"])).body).toMatchObject({ unchanged: 1, changes: [] });
  });
});
