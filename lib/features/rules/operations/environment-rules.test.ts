import { beforeAll, describe, expect, it } from "vitest";
import { db } from "@/lib/db/client";
import { createTestingDeploy } from "@/lib/features/releases/operations/create-testing-deploy";
import { getTestingDeployById } from "@/lib/features/releases/operations/get-testing-deploy-by-id";
import { promoteTestingDeploy } from "@/lib/features/releases/operations/promote-testing-deploy";
import { EVENT_DATA } from "@/lib/kernel/events";
import { newId } from "@/lib/kernel/ids";
import { anApp, aUser, send, type TestUser } from "@/lib/testing/console";
import { anApk, publish, uploadInParts } from "@/lib/testing/releases";
import { aWebhook, deliveriesOf } from "@/lib/testing/webhooks";
import { setUpTestDatabase } from "@/scripts/test-database";
import { getEnvironmentRules } from "./get-environment-rules";
import { updateEnvironmentRules } from "./update-environment-rules";

setUpTestDatabase();

let admin: TestUser;
let publisher: TestUser;
let app: Awaited<ReturnType<typeof anApp>>;
let environmentId: string;
beforeAll(async () => {
  admin = await aUser({ admin: true });
  app = await anApp();
  environmentId = app.environmentIds[0] as string;
  const scopes = ["release:read", "release:download", "release:create"] as const;
  publisher = await aUser({ grants: [{ scopes: [...scopes], apps: [{ appId: app.appId }] }] });
});

const lastRecord = () => db.auditRecord.findFirstOrThrow({ orderBy: { id: "desc" } });
const setRules = async (rules: object, id = environmentId) => {
  const { status } = await send(updateEnvironmentRules, admin, { environmentId: id, ...rules });
  expect(status).toBe(200);
};
const publishAs = async (caller: TestUser, options: Parameters<typeof anApk>[1], fields: Record<string, string> = {}) =>
  publish(caller, await anApk(app.identifier, options), "Acme.apk", { environmentId, ...fields });

const violations = async (webhookId: string) =>
  (await deliveriesOf(webhookId)).map(({ data }) => EVENT_DATA["rule.violated"].parse(data));

describe("the rules of an environment", () => {
  it("are off until somebody changes them, and keep what is left out", async () => {
    await setRules({ debuggable: { mode: "warn" } });
    await setRules({ growthPercent: { mode: "refuse", percent: 5 } });
    const { body } = await send(getEnvironmentRules, admin, { environmentId });
    expect(body).toMatchObject({
      environmentId,
      debuggable: { mode: "warn" },
      growthPercent: { mode: "refuse", percent: 5 },
      notesRequired: { mode: "off" },
    });
    expect((await send(getEnvironmentRules, publisher, { environmentId })).status).toBe(403);
    await setRules({ debuggable: { mode: "off" }, growthPercent: { mode: "off", percent: 5 } });
  });

  it("refuse a build and name each rule with what was found; one who may change them overrides, which is recorded", async () => {
    const webhookId = await aWebhook(["rule.violated"]);
    await setRules({ debuggable: { mode: "refuse" }, notesRequired: { mode: "refuse", characters: 50 } });
    const refused = await publishAs(publisher, { debuggable: true });
    expect(refused.status).toBe(422);
    expect(refused.body).toMatchObject({
      code: "rule_violated",
      errors: [{ path: "debuggable" }, { path: "notesRequired" }],
    });
    expect(refused.body.errors[1].message).toBe("The release notes have 12 characters; the minimum is 50.");
    expect(await db.release.count({ where: { environmentId } })).toBe(0);
    expect(await violations(webhookId)).toMatchObject([
      {
        ...{ app: { id: app.appId }, environment: { id: environmentId }, releaseId: null, outcome: "refused" },
        build: { identifier: app.identifier, platform: "android" },
        rules: [
          { rule: "debuggable", params: {} },
          { rule: "notesRequired", params: { count: 12, limit: 50 } },
        ],
        by: { userId: publisher.userId },
      },
    ]);
    expect((await publishAs(publisher, { debuggable: true }, { override: "true" })).status).toBe(403);
    expect(await violations(webhookId)).toHaveLength(1);

    const published = await publishAs(admin, { debuggable: true }, { override: "true" });
    expect(published.status).toBe(201);
    const warnings = [
      { rule: "debuggable", params: {}, overridden: true },
      { rule: "notesRequired", params: { count: 12, limit: 50 }, overridden: true },
    ];
    expect((await send(getTestingDeployById, publisher, { id: published.body.id })).body.warnings).toEqual(warnings);
    expect((await lastRecord()).changes).toMatchObject({ overriddenRules: [null, ["debuggable", "notesRequired"]] });
    const told = { outcome: "overridden", releaseId: published.body.id, by: { userId: admin.userId } };
    expect((await violations(webhookId)).slice(1)).toMatchObject([told]);
    await setRules({ debuggable: { mode: "off" }, notesRequired: { mode: "off", characters: 50 } });
  });

  it("warn on the release, and hold an upload that was refused for another try", async () => {
    await setRules({ minimumSdkRaised: { mode: "warn" }, newDangerousPermission: { mode: "refuse" } });
    await publishAs(publisher, { versionCode: 10, minSdk: 24 });
    const apk = await anApk(app.identifier, {
      versionCode: 11,
      minSdk: 26,
      permissions: ["android.permission.CAMERA"],
    });
    const { fileId } = await uploadInParts(admin, apk, "Acme.apk");
    const input = { environmentId, fileId, description: "What changed" };
    expect((await send(createTestingDeploy, admin, input)).body.code).toBe("rule_violated");
    const { status, body } = await send(createTestingDeploy, admin, { ...input, override: true });
    expect(status).toBe(201);
    expect(body.warnings).toEqual([
      { rule: "newDangerousPermission", params: { names: "android.permission.CAMERA" }, overridden: true },
      { rule: "minimumSdkRaised", params: { from: "24", to: "26" }, overridden: false },
    ]);
    await setRules({ minimumSdkRaised: { mode: "off" }, newDangerousPermission: { mode: "off" } });
  });

  it("hold for promotions too", async () => {
    const webhookId = await aWebhook(["rule.violated"]);
    const { id: targetId } = await db.environment.create({ data: { id: newId(), appId: app.appId, name: "Strict" } });
    await setRules({ debuggable: { mode: "refuse" } }, targetId);
    const source = (await publishAs(publisher, { debuggable: true, versionCode: 20 })).body;
    const input = { id: source.id, environmentId: targetId };
    expect((await send(promoteTestingDeploy, publisher, input)).body.code).toBe("rule_violated");
    expect((await send(promoteTestingDeploy, publisher, { ...input, override: true })).status).toBe(403);
    const promoted = await send(promoteTestingDeploy, admin, { ...input, override: true });
    expect(promoted.status).toBe(201);
    expect(promoted.body.items[0].warnings).toMatchObject([{ rule: "debuggable", overridden: true }]);
    expect((await lastRecord()).changes).toMatchObject({ overriddenRules: [null, ["debuggable"]] });
    expect((await violations(webhookId)).map(({ outcome }) => outcome)).toEqual(["refused", "overridden"]);
    await setRules({ debuggable: { mode: "warn" } }, targetId);
    const warned = (await publishAs(publisher, { debuggable: true, versionCode: 21 })).body;
    await send(promoteTestingDeploy, publisher, { id: warned.id, environmentId: targetId });
    expect((await violations(webhookId)).at(-1)).toMatchObject({ outcome: "warned", environment: { name: "Strict" } });
  });
});
