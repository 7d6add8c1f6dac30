import { randomUUID } from "node:crypto";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { databasePool, db } from "@/lib/db/client";
import { getLatestRelease } from "@/lib/features/client/operations/get-latest-release";
import { updateEnvironmentApp } from "@/lib/features/environments/operations/update-environment-app";
import { deleteTestingDeploy } from "@/lib/features/releases/operations/delete-testing-deploy";
import { downloadTestingDeployByToken } from "@/lib/features/releases/operations/download-testing-deploy-by-token";
import { generateAppleManifestRequestToken } from "@/lib/features/releases/operations/generate-apple-manifest-request-token";
import { getBuilds } from "@/lib/features/releases/operations/get-builds";
import { getTestingDeployById } from "@/lib/features/releases/operations/get-testing-deploy-by-id";
import { getTestingDeploys } from "@/lib/features/releases/operations/get-testing-deploys";
import { updateTestingDeploy } from "@/lib/features/releases/operations/update-testing-deploy";
import { openShareLink } from "@/lib/features/share-links/operations/open-share-link";
import { mailJob } from "@/lib/jobs/mail";
import { queueOf } from "@/lib/jobs/queue";
import { applyRetention } from "@/lib/jobs/retention";
import { DAY_MS } from "@/lib/kernel/time";
import { storage } from "@/lib/storage";
import { emptyBin as emptyStore } from "@/lib/storage/bin";
import { BIN_DAYS } from "@/lib/storage/bin-days";
import { ANONYMOUS, anApp, aToken, aUser, send, type TestUser } from "@/lib/testing/console";
import { fillDisk, makeRoom } from "@/lib/testing/full-disk";
import { blocksRead } from "@/lib/testing/plans";
import { anApk, aRelease, publish } from "@/lib/testing/releases";
import { aShareLink } from "@/lib/testing/share-links";
import { withFault } from "@/lib/testing/store";
import { aWebhook, deliveriesOf } from "@/lib/testing/webhooks";
import { rowsOf } from "@/scripts/test-amount";
import { setUpTestDatabase } from "@/scripts/test-database";
import { emptyBin } from "./operations/empty-bin";
import { getBin } from "./operations/get-bin";
import { getRetention } from "./operations/get-retention";
import { getRetentionPreview } from "./operations/get-retention-preview";
import { getStorage } from "./operations/get-storage";
import { restoreRelease } from "./operations/restore-release";
import { updateRetention } from "./operations/update-retention";

setUpTestDatabase();

let admin: TestUser;
beforeAll(async () => {
  admin = await aUser({ admin: true });
  await queueOf(mailJob);
});
afterEach(async () => {
  await db.retention.deleteMany();
});

/** The mails of releases that leave. */
async function leavingMails(): Promise<Record<string, unknown>[]> {
  const { rows } = await databasePool().query(
    `SELECT "data" FROM pgboss.job WHERE "name" = 'mail' AND "data"->>'purpose' = 'releases-leave'`,
  );
  return rows.map(({ data }) => data);
}

interface Place {
  appId: string;
  identifier: string;
  environmentId: string;
}

async function aPlace(): Promise<Place> {
  const { appId, identifier, environmentIds } = await anApp();
  return { appId, identifier, environmentId: environmentIds[0] as string };
}

/** Publishes an .ipa that is so many days old. @returns its ID */
async function aged(place: Place, version: string, days: number): Promise<string> {
  const { id } = await aRelease(admin, place, { version });
  await db.release.update({ where: { id }, data: { deployDate: new Date(Date.now() - days * DAY_MS) } });
  return id;
}

const inDays = (days: number) => new Date(Date.now() + days * DAY_MS);
const versionsOf = async ({ environmentId }: Place) =>
  (await db.release.findMany({ where: { environmentId }, orderBy: { deployDate: "desc" } })).map(
    ({ version }) => version,
  );
const binOf = async ({ environmentId }: Place) => (await send(getBin, admin, { environmentId })).body;
const preview = async (place: Place, rule: object) =>
  (await send(getRetentionPreview, admin, { environmentId: place.environmentId, ...rule })).body;
const setRule = (place: Place, rule: object, caller = admin) =>
  send(updateRetention, caller, { environmentId: place.environmentId, ...rule });

describe("a deleted release", () => {
  it("is gone for everybody, and comes back whole", async () => {
    const place = await aPlace();
    const release = await aRelease(admin, place, { version: "1.0" });
    const link = await aShareLink(admin, { releaseId: release.id });
    const { token } = (await send(generateAppleManifestRequestToken, admin, { id: release.id })).body;
    const app = await aToken({ ...place, scopes: ["release:read", "release:download"] });
    const seen = async () => {
      const { environmentId } = place;
      return {
        release: (await send(getTestingDeployById, admin, { id: release.id })).status,
        list: (await send(getTestingDeploys, admin, { environmentId })).body.total,
        builds: (await send(getBuilds, admin, { environmentId })).body.total,
        latest: (await send(getLatestRelease, app, { platform: "ios" })).status,
        link: (await send(openShareLink, ANONYMOUS, { code: link.code })).status,
        download: (await send(downloadTestingDeployByToken, ANONYMOUS, { token })).status,
      };
    };
    const before = await seen();
    expect(before).toMatchObject({ release: 200, list: 1, builds: 1, link: 200 });
    expect((await send(deleteTestingDeploy, admin, { id: release.id })).status).toBe(204);
    const gone = await seen();
    expect(gone).toMatchObject({ release: 404, list: 0, builds: 0, link: 410 });
    expect(gone.download).toBeGreaterThanOrEqual(400);

    const { items, total, bytes } = await binOf(place);
    expect([total, bytes]).toEqual([1, release.size]);
    expect(items).toMatchObject([
      { id: release.id, version: "1.0", reason: "deleted", deletedBy: { kind: "user", id: admin.userId } },
    ]);
    expect(Date.parse(items[0].expiresAt) - Date.parse(items[0].binnedAt)).toBe(BIN_DAYS * DAY_MS);

    const restored = await send(restoreRelease, admin, { id: release.id });
    expect(restored.status).toBe(200);
    expect(restored.body).toEqual({ ...release, updatedAt: restored.body.updatedAt });
    expect(await seen()).toEqual(before);
    expect((await binOf(place)).total).toBe(0);
    expect((await send(restoreRelease, admin, { id: release.id })).status).toBe(404);
  });

  it("is restored once by two callers at the same moment", async () => {
    const place = await aPlace();
    const { id } = await aRelease(admin, place);
    await send(deleteTestingDeploy, admin, { id });
    const answers = await Promise.all([1, 2, 3].map(() => send(restoreRelease, admin, { id })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404, 404]);
    expect(await db.release.count({ where: { id } })).toBe(1);
  });

  it("is seen and restored only where the caller may delete", async () => {
    const place = await aPlace();
    const { id } = await aRelease(admin, place);
    await send(deleteTestingDeploy, admin, { id });
    const { appId, environmentId } = place;
    const reader = await aUser({ grants: [{ scopes: ["release:update"], apps: [{ appId }] }] });
    expect((await send(getBin, reader, { environmentId })).status).toBe(403);
    expect((await send(restoreRelease, reader, { id })).status).toBe(403);
    const stranger = await aUser({
      grants: [{ scopes: ["release:delete"], apps: [{ appId: (await aPlace()).appId }] }],
    });
    expect((await send(restoreRelease, stranger, { id })).status).toBe(404);
    expect((await send(getBin, stranger, { appId })).status).toBe(404);
    const remover = await aUser({
      grants: [{ scopes: ["release:delete"], apps: [{ appId, environmentIds: [environmentId] }] }],
    });
    expect((await send(getBin, remover, { appId })).body.total).toBe(1);
    expect((await send(restoreRelease, remover, { id })).status).toBe(200);
  });

  it("cannot be restored after its environment was deleted, nor changed where it is inactive", async () => {
    const place = await aPlace();
    const { id } = await aRelease(admin, place);
    await send(deleteTestingDeploy, admin, { id });
    const files = await db.file.findMany({ where: { binnedInstallerOf: { some: { id } } } });
    await db.environment.delete({ where: { id: place.environmentId } });
    await db.file.updateMany({ where: { id: { in: files.map((file) => file.id) } }, data: { state: "deleting" } });
    const answer = await send(restoreRelease, admin, { id });
    expect([answer.status, answer.body.code]).toEqual([404, "not_found"]);
    expect(answer.body.detail).toMatch(/bin/);
    const other = await aPlace();
    const kept = await aRelease(admin, other);
    await send(deleteTestingDeploy, admin, { id: kept.id });
    await send(updateEnvironmentApp, admin, { id: other.environmentId, status: "inactive" });
    expect((await send(restoreRelease, admin, { id: kept.id })).status).toBe(200);
  });
});

describe("the bin", () => {
  it("is emptied of what its time has passed for, and goes on when a file cannot be removed", async () => {
    const place = await aPlace();
    const [first, second, kept] = await Promise.all([1, 2, 3].map(() => aRelease(admin, place)));
    const keys = await db.file.findMany({ where: { installerOf: { some: { environmentId: place.environmentId } } } });
    for (const { id } of [first, second]) await send(deleteTestingDeploy, admin, { id });
    expect(await emptyStore(db, { now: inDays(BIN_DAYS - 0.1) })).toBe(0);
    await send(deleteTestingDeploy, admin, { id: kept.id });
    await db.binnedRelease.update({ where: { id: kept.id }, data: { expiresAt: inDays(30) } });
    const emptied = withFault({ method: "delete", when: "before" }, () =>
      emptyStore(db, { now: inDays(BIN_DAYS + 0.1) }),
    );
    expect(await emptied).toBe(2);
    expect(await db.binnedRelease.findMany({ select: { id: true } })).toEqual([{ id: kept.id }]);
    const states = await db.file.findMany({ where: { id: { in: keys.map(({ id }) => id) } } });
    expect(states.filter(({ state }) => state === "ready")).toHaveLength(1);
  });

  it("keeps everything while the disk of the database is full, and is emptied once there is room", async () => {
    const place = await aPlace();
    const { id } = await aRelease(admin, place);
    const file = await db.file.findFirstOrThrow({ where: { installerOf: { some: { id } } } });
    await send(deleteTestingDeploy, admin, { id });
    await send(emptyBin, admin, { environmentId: place.environmentId });
    await fillDisk(["File"]);
    try {
      await expect(emptyStore(db, { now: new Date() })).rejects.toThrow("could not leave the bin");
      expect(await db.binnedRelease.count({ where: { id } })).toBe(1);
      expect(await storage().head(file.storageKey)).not.toBeNull();
    } finally {
      await makeRoom(["File"]);
    }
    await emptyStore(db, { now: new Date() });
    expect(await db.binnedRelease.count({ where: { id } })).toBe(0);
    await expect(storage().get(file.storageKey)).rejects.toThrow();
  });

  it("is emptied by hand, whole or in part, with a record", async () => {
    const place = await aPlace();
    const releases = await Promise.all([1, 2, 3].map(() => aRelease(admin, place)));
    for (const { id } of releases) await send(deleteTestingDeploy, admin, { id });
    const [one] = releases;
    const { environmentId } = place;
    const some = await send(emptyBin, admin, { environmentId, ids: [one.id, randomUUID()] });
    expect([some.status, some.body]).toEqual([202, { releases: 1, bytes: one.size }]);
    expect((await send(restoreRelease, admin, { id: one.id })).status).toBe(404);
    expect((await binOf(place)).total).toBe(2);
    expect((await send(emptyBin, admin, { environmentId })).body.releases).toBe(2);
    await emptyStore(db, { now: new Date() });
    expect(await db.binnedRelease.count({ where: { environmentId } })).toBe(0);
    const row = await db.auditRecord.findFirstOrThrow({
      where: { action: "delete-for-good" },
      orderBy: { id: "desc" },
    });
    expect(row).toMatchObject({ table: "Release", recordId: environmentId, userId: admin.userId });
  });
});

describe("retention", () => {
  it("keeps the newest builds of each platform, younger ones, those with a link, and those marked", async () => {
    const place = await aPlace();
    const ids = await Promise.all([1, 10, 20, 30, 40, 50].map((days) => aged(place, `1.${60 - days}`, days)));
    const apk = await publish(admin, await anApk(place.identifier), "a.apk", { environmentId: place.environmentId });
    await db.release.update({ where: { id: apk.body.id }, data: { deployDate: inDays(-90) } });
    expect(await preview(place, { keepNewest: 2 })).toMatchObject({ releases: 4, total: 7, deletesAll: false });
    expect(await preview(place, { keepDays: 15 })).toMatchObject({ releases: 4 });
    expect(await preview(place, { keepNewest: 1, keepDays: 35 })).toMatchObject({ releases: 2 });
    await aShareLink(admin, { releaseId: ids[4] });
    await send(updateTestingDeploy, admin, { id: ids[5], keep: true });
    const { releases, bytes, items } = await preview(place, { keepNewest: 1 });
    expect([releases, items.map(({ id }: { id: string }) => id).sort()]).toEqual([3, ids.slice(1, 4).sort()]);
    expect(bytes).toBe(items.reduce((sum: number, { size }: { size: number }) => sum + size, 0));
    expect(await preview(place, { keepNewest: 1, keepWithShareLink: false })).toMatchObject({ releases: 4 });
    expect(await preview(place, {})).toMatchObject({ releases: 0, total: 7 });
  });

  it("keeps the latest release although others are newer", async () => {
    const place = await aPlace();
    await aged(place, "9.0", 50);
    for (const days of [1, 2, 3]) await aged(place, `1.${9 - days}`, days);
    expect(await preview(place, { keepNewest: 1 })).toMatchObject({ releases: 2 });
    expect(await preview(place, { keepDays: 2 })).toMatchObject({ releases: 2 });
  });

  it("that leaves nothing is stored only with the number of releases", async () => {
    const place = await aPlace();
    for (const days of [10, 20]) await aged(place, `1.${30 - days}`, days);
    expect(await preview(place, { keepDays: 5 })).toMatchObject({ releases: 1, total: 2, deletesAll: true });
    const refused = await setRule(place, { keepDays: 5 });
    expect([refused.status, refused.body.code]).toEqual([409, "conflict"]);
    expect(refused.body.errors[0]).toMatchObject({ path: "confirmReleases" });
    expect((await setRule(place, { keepDays: 5, confirmReleases: 1 })).status).toBe(409);
    expect((await setRule(place, { keepNewest: 0 })).status).toBe(422);
    expect((await setRule(place, { keepDays: 5, keepNewest: 1 })).body).toMatchObject({ mayDeleteAll: false });
    expect((await setRule(place, { keepNewest: null, confirmReleases: 2 })).body).toMatchObject({ mayDeleteAll: true });
    expect(await preview(place, {})).toMatchObject({ releases: 2 });
    expect((await send(getRetention, admin, { environmentId: place.environmentId })).body).toMatchObject({
      keepNewest: null,
      keepDays: 5,
      keepWithShareLink: true,
    });
  });

  it("is announced a day before to those who published, and then applied", async () => {
    const place = await aPlace();
    const author = await aUser({ grants: [{ scopes: ["release:create"], apps: [{ appId: place.appId }] }] });
    const token = await aToken({ ...place });
    await db.apiToken.update({ where: { id: token.tokenId }, data: { createdBy: admin.userId } });
    const [ofAuthor, ofToken, saved] = [
      await aged(place, "1.1", 30),
      await aged(place, "1.2", 20),
      await aged(place, "1.3", 10),
    ];
    const newest = await aged(place, "1.4", 1);
    await db.release.update({ where: { id: ofAuthor }, data: { createdByUser: author.userId } });
    await db.release.update({ where: { id: ofToken }, data: { createdByUser: null, createdByToken: token.tokenId } });
    await db.release.update({ where: { id: saved }, data: { createdByUser: null } });
    const webhookId = await aWebhook(["release.deleted"]);
    await setRule(place, { keepNewest: 1 });

    expect(await applyRetention({ now: new Date() })).toEqual({ moved: 0, announced: 3 });
    const mails = await leavingMails();
    expect(mails).toHaveLength(2);
    expect(mails).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ userId: author.userId, count: 1, releases: [expect.stringMatching(/ 1\.1 /)] }),
        expect.objectContaining({ userId: admin.userId, count: 1, releases: [expect.stringMatching(/ 1\.2 /)] }),
      ]),
    );
    // Not before a day has passed, and each is announced once.
    expect(await applyRetention({ now: inDays(0.5) })).toEqual({ moved: 0, announced: 0 });
    await send(updateTestingDeploy, admin, { id: saved, keep: true });
    expect(await applyRetention({ now: inDays(1) })).toEqual({ moved: 2, announced: 0 });
    expect(await versionsOf(place)).toEqual(["1.4", "1.3"]);
    expect(
      (await binOf(place)).items.map(({ reason, deletedBy }: Record<string, unknown>) => [reason, deletedBy]),
    ).toEqual([
      ["retention", null],
      ["retention", null],
    ]);
    expect((await deliveriesOf(webhookId)).map(({ data }) => (data as { by: unknown }).by)).toEqual([
      { userId: null, tokenId: null },
      { userId: null, tokenId: null },
    ]);
    // A restored release is marked, so that it is not moved again.
    expect((await send(restoreRelease, admin, { id: ofAuthor })).body.keep).toBe(true);
    expect(await applyRetention({ now: inDays(3) })).toEqual({ moved: 0, announced: 0 });
    expect(await db.release.count({ where: { id: { in: [newest, saved, ofAuthor] } } })).toBe(3);
  });

  it("withdraws what it announced if the rule changes, and announces it again", async () => {
    const place = await aPlace();
    await aged(place, "1.1", 30);
    await aged(place, "1.2", 1);
    await setRule(place, { keepNewest: 1 });
    expect((await applyRetention({ now: new Date() })).announced).toBe(1);
    await setRule(place, { keepNewest: 5 });
    expect(await applyRetention({ now: inDays(1) })).toEqual({ moved: 0, announced: 0 });
    await setRule(place, { keepNewest: 1 });
    expect(await applyRetention({ now: inDays(2) })).toEqual({ moved: 0, announced: 1 });
    expect((await applyRetention({ now: inDays(3) })).moved).toBe(1);
  });
});

describe("what files take", () => {
  it("is told by application, environment and kind, with the bin and what several environments share", async () => {
    const place = await aPlace();
    const ipa = await aRelease(admin, place);
    const alone = (await send(getStorage, admin, {})).body.sharedBytes;
    const { id: _, ...row } = await db.release.findUniqueOrThrow({ where: { id: ipa.id } });
    await db.release.create({
      data: { ...row, id: randomUUID(), installer: row.installer ?? {}, metadata: {}, warnings: [] },
    });
    const gone = await aRelease(admin, place);
    await send(deleteTestingDeploy, admin, { id: gone.id });
    const { body, status } = await send(getStorage, admin, {});
    expect(status).toBe(200);
    const app = body.apps.find((one: { app: { id: string } }) => one.app.id === place.appId);
    expect(app).toMatchObject({ releases: 2, bytes: { ipa: 2 * ipa.size, apk: 0, bin: gone.size } });
    expect(app.environments[0]).toMatchObject({ environment: { id: place.environmentId }, total: app.total });
    expect(body.all.total - body.sharedBytes + body.imageBytes).toBe(body.usedBytes);
    expect(body.sharedBytes - alone).toBe(ipa.size);
    expect(body.largest[0].size).toBe(Math.max(...body.largest.map(({ size }: { size: number }) => size)));
    const stored = await db.file.findUniqueOrThrow({ where: { id: row.fileId } });
    expect(await storage().head(stored.storageKey)).toMatchObject({ size: ipa.size });
  });

  it("is told at the same cost however many releases there are", async () => {
    const place = await aPlace();
    const { id } = await aRelease(admin, place);
    const model = await db.release.findUniqueOrThrow({ where: { id } });
    const addMany = (count: number) =>
      databasePool().query(
        `INSERT INTO "Release" ("id", "environmentId", "platformId", "fileId", "version", "buildNumber", "identifier",
           "displayName", "description", "iosEnabled", "installer", "metadata", "deployDate", "updatedAt")
         SELECT gen_random_uuid(), $1, $2, $3, $4 || '.' || n / 50, n, 'com.acme.app', 'App', 'Changes', true, '{"kind": "ipa"}', '{}',
           now() - n * interval '1 minute', now() FROM generate_series(1, $4::int) n`,
        [place.environmentId, model.platformId, model.fileId, count],
      );
    const cost = async () => {
      await databasePool().query('VACUUM (ANALYZE) "Release", "StorageCount"');
      await send(getStorage, admin, {});
      return blocksRead(() => send(getStorage, admin, {}));
    };
    await addMany(200);
    const few = await cost();
    await addMany(rowsOf(10_000));
    expect(await cost()).toBeLessThan(1.3 * few);
  }, 120_000);
});
