import { beforeAll, describe, expect, it } from "vitest";
import { db } from "@/lib/db/client";
import { getAuditLogs } from "@/lib/features/audit/operations/get-audit-logs";
import { updateEnvironmentRules } from "@/lib/features/rules/operations/update-environment-rules";
import { emptyWholeBin } from "@/lib/testing/bin";
import { anApp, aUser, send, sendRaw, type TestUser } from "@/lib/testing/console";
import { anApk, aRelease, publish, sha256Of } from "@/lib/testing/releases";
import { aTesterGroup } from "@/lib/testing/tester-groups";
import { setUpTestDatabase } from "@/scripts/test-database";
import { deleteTestingDeploy } from "./delete-testing-deploy";
import { downloadTestingDeployFile } from "./download-testing-deploy-file";
import { getBuilds } from "./get-builds";
import { promoteTestingDeploy } from "./promote-testing-deploy";

setUpTestDatabase();

let admin: TestUser;
let app: Awaited<ReturnType<typeof anApp>>;
let qa: string;
let staging: string;

beforeAll(async () => {
  admin = await aUser({ admin: true });
});

async function aSource(metadata: Record<string, string> = {}): Promise<{ ipa: string; apk: string }> {
  app = await anApp({ environments: [{ name: "QA" }, { name: "Staging", identifiers: ["com.acme.staging"] }] });
  [qa, staging] = app.environmentIds as [string, string];
  const place = { environmentId: qa, metadata: JSON.stringify(metadata) };
  const ipa = await aRelease(admin, { identifier: app.identifier, environmentId: qa }, { version: "1.0", build: "7" });
  const bytes = await anApk(app.identifier, { versionName: "1.0", versionCode: 7 });
  const apk = await publish(admin, bytes, "App.apk", place);
  expect(apk.status).toBe(201);
  return { ipa: ipa.id, apk: apk.body.id };
}

const promote = (input: object, caller: TestUser = admin) => send(promoteTestingDeploy, caller, { ...input });

/** A user with scopes in each of the two environments. */
const someone = (inQa: string[], inStaging: string[]) =>
  aUser({
    grants: [
      { scopes: inQa as never, apps: [{ appId: app.appId, environmentIds: [qa] }] },
      { scopes: inStaging as never, apps: [{ appId: app.appId, environmentIds: [staging] }] },
    ].filter(({ scopes }) => (scopes as string[]).length > 0),
  });

describe("a promotion", () => {
  it("publishes the same stored file in the other environment, as a build, with the place that it came from", async () => {
    const { ipa, apk } = await aSource({ gitCommit: "a1b2" });
    const files = await db.file.count();
    const { status, body } = await promote({ ids: [ipa, apk], environmentId: staging });
    expect(status, JSON.stringify(body)).toBe(201);
    expect(body.items).toMatchObject([
      {
        environment: { id: staging },
        version: "1.0",
        buildNumber: "7",
        description: "What changed",
        metadata: { promotedFrom: ipa },
      },
      { environment: { id: staging }, metadata: { gitCommit: "a1b2", promotedFrom: apk }, mandatory: false },
    ]);
    expect(await db.file.count()).toBe(files);
    const [source, copy] = await Promise.all(
      [apk, body.items[1].id].map((id) => db.release.findUniqueOrThrow({ where: { id } })),
    );
    expect([copy?.fileId, copy?.iconFileId]).toEqual([source?.fileId, source?.iconFileId]);
    const { body: builds } = await send(getBuilds, admin, { environmentId: staging });
    expect(builds.items).toMatchObject([{ version: "1.0", releases: [{}, {}] }]);
    const record = await db.auditRecord.findFirstOrThrow({ where: { recordId: body.items[0].id, action: "promote" } });
    expect(record).toMatchObject({ table: "Release", userId: admin.userId });
    for (const { id } of body.items) expect(JSON.stringify(record.changes)).toContain(id);
    expect(JSON.stringify(record.changes)).toContain(apk);
    const inEnglish = { headers: { "accept-language": "en" } };
    for (const search of ["iOS 1.0", "Android 1.0", "Staging"]) {
      const { body: log } = await send(getAuditLogs, admin, { search, action: "promote" }, inEnglish);
      const found = log.items.find(({ id }: { id: number }) => id === Number(record.id));
      expect(found?.sentence, search).toMatch(/ Android, iOS 1\.0 \(.+\) from QA to Staging$/);
    }
  });

  it("takes other notes, and answers with what is there when it is repeated", async () => {
    const { ipa } = await aSource();
    const first = await promote({ id: ipa, environmentId: staging, description: "For **staging**" });
    expect([first.status, first.body.items[0].description]).toEqual([201, "For **staging**"]);
    const again = await promote({ id: ipa, environmentId: staging, description: "Other notes" });
    expect(again.status).toBe(200);
    expect(again.body.items).toEqual([{ ...first.body.items[0], repeated: true }]);
    expect(await db.release.count({ where: { environmentId: staging } })).toBe(1);
  });

  it("makes one release of each although it is asked for twice at once", async () => {
    const { ipa, apk } = await aSource();
    const answers = await Promise.all([
      promote({ ids: [ipa, apk], environmentId: staging }),
      promote({ ids: [apk, ipa], environmentId: staging }),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 201]);
    expect(await db.release.count({ where: { environmentId: staging } })).toBe(2);
  });

  it("keeps the file until the last release of it is deleted", async () => {
    const { apk } = await aSource();
    const { body } = await promote({ id: apk, environmentId: staging });
    const copy = body.items[0];
    expect((await send(deleteTestingDeploy, admin, { id: apk })).status).toBe(204);
    await emptyWholeBin();
    const { fileId } = await db.release.findUniqueOrThrow({ where: { id: copy.id } });
    const download = await sendRaw(downloadTestingDeployFile, admin, { id: copy.id });
    expect(sha256Of(new Uint8Array(await download.arrayBuffer()))).toBe(copy.sha256);
    expect((await db.file.findUniqueOrThrow({ where: { id: fileId } })).state).toBe("ready");
    await send(deleteTestingDeploy, admin, { id: copy.id });
    await emptyWholeBin();
    expect((await db.file.findUnique({ where: { id: fileId } }))?.state ?? "gone").not.toBe("ready");
  });

  it("of a deleted release is refused, and of several nothing is published", async () => {
    const { ipa, apk } = await aSource();
    await send(deleteTestingDeploy, admin, { id: apk });
    const { status, body } = await promote({ ids: [ipa, apk], environmentId: staging });
    expect([status, body.code]).toEqual([404, "not_found"]);
    expect(await db.release.count({ where: { environmentId: staging } })).toBe(0);
  });

  it("requires to download there and to publish here", async () => {
    const { ipa } = await aSource();
    const outcome = async (inQa: string[], inStaging: string[]) =>
      (await promote({ id: ipa, environmentId: staging }, await someone(inQa, inStaging))).status;
    expect(await outcome([], ["release:create"])).toBe(404);
    expect(await outcome(["release:read"], ["release:create"])).toBe(403);
    expect(await outcome(["release:download"], [])).toBe(404);
    expect(await outcome(["release:download"], ["release:download"])).toBe(403);
    expect(await db.release.count({ where: { environmentId: staging } })).toBe(0);
    expect(await outcome(["release:download"], ["release:create"])).toBe(201);
  });

  it("is refused by an environment that does not take the identifier, and by an inactive one", async () => {
    const { ipa } = await aSource();
    const other = await anApp();
    const mismatch = await promote({ id: ipa, environmentId: other.environmentIds[0] });
    expect([mismatch.status, mismatch.body.code]).toEqual([422, "identifier_mismatch"]);
    await db.environment.update({ where: { id: staging }, data: { status: "inactive" } });
    const inactive = await promote({ id: ipa, environmentId: staging });
    expect([inactive.status, inactive.body.code]).toEqual([409, "conflict"]);
  });

  it("names the rules that each of several files breaks, and publishes none of them", async () => {
    const { ipa, apk } = await aSource();
    const rules = { notesRequired: { mode: "refuse", characters: 50 } };
    expect((await send(updateEnvironmentRules, admin, { environmentId: staging, ...rules })).status).toBe(200);
    const { status, body } = await promote({ ids: [apk, ipa], environmentId: staging });
    expect([status, body.code]).toEqual([422, "rule_violated"]);
    expect(body.errors).toMatchObject([{ path: "ids.0.notesRequired" }, { path: "ids.1.notesRequired" }]);
    const one = await promote({ id: apk, environmentId: staging });
    expect(one.body.errors).toMatchObject([{ path: "notesRequired" }]);
    expect(await db.release.count({ where: { environmentId: staging } })).toBe(0);
    expect((await promote({ ids: [apk, ipa], environmentId: staging, override: true })).status).toBe(201);
  });

  it("names one release or several, not both and not too many", async () => {
    const { ipa, apk } = await aSource();
    for (const input of [{}, { id: ipa, ids: [apk] }, { ids: [] }, { ids: Array.from({ length: 21 }, () => ipa) }]) {
      expect((await promote({ ...input, environmentId: staging })).status).toBe(422);
    }
    expect((await promote({ ids: [ipa, ipa], environmentId: staging })).body.items).toHaveLength(1);
  });
});

describe("groups of testers in a promotion", () => {
  it("are told of the releases that they do not have, and named without their rights or place nothing is published", async () => {
    const { ipa, apk } = await aSource();
    const user = await aUser({ admin: true });
    const group = (environmentIds: string[]) =>
      aTesterGroup(admin, { appId: app.appId, environmentIds, userIds: [user.userId] });
    const [there, elsewhere] = [await group([staging]), await group([qa])];
    const named = { ids: [ipa, apk], environmentId: staging, groups: [there.name] };
    const publisher = await someone(["release:download"], ["release:create"]);
    expect((await promote(named, publisher)).status).toBe(403);
    const unknown = await promote({ ...named, groups: [elsewhere.name] });
    expect([unknown.status, unknown.body.errors?.[0].path]).toEqual([422, "groups"]);
    const { body } = await promote({ ...named, notify: false });
    const ids = body.items.map(({ id }: { id: string }) => id);
    const distributions = () =>
      db.releaseDistribution.findMany({ where: { releaseId: { in: ids } }, select: { groupIds: true, notify: true } });
    expect(await distributions()).toEqual(ids.map(() => ({ groupIds: [there.id], notify: false })));
    expect((await promote(named)).body.items[0].repeated).toBe(true);
    expect(await distributions()).toHaveLength(2);
    const further = await group([staging]);
    const repeated = await promote({ ...named, groups: [there.id, further.id] });
    expect([repeated.status, repeated.body.items[0].repeated]).toEqual([200, true]);
    const ofFurther = (await distributions()).filter(({ groupIds }) => groupIds.includes(further.id));
    expect(ofFurther).toEqual(ids.map(() => ({ groupIds: [further.id], notify: true })));
    expect(await distributions()).toHaveLength(4);
    const record = await db.auditRecord.findFirstOrThrow({
      where: { action: "promote-repeated" },
      orderBy: { id: "desc" },
    });
    expect(record.changes).toMatchObject({ groups: [null, [there.id, further.id]] });
  });
});
