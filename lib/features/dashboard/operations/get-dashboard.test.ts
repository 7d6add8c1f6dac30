import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { databasePool, db } from "@/lib/db/client";
import { recordTestingDeployOpening } from "@/lib/features/releases/operations/record-testing-deploy-opening";
import { requestInstallChecks } from "@/lib/jobs/install-check";
import { env } from "@/lib/kernel/env";
import { newId } from "@/lib/kernel/ids";
import { DAY_MS } from "@/lib/kernel/time";
import { anApp, aToken, aUser, send, type TestUser } from "@/lib/testing/console";
import { awayFromMidnight } from "@/lib/testing/midnight";
import { blocksRead, statementsOf } from "@/lib/testing/plans";
import { anIpa, aRelease, publish } from "@/lib/testing/releases";
import { flushVisits, recordStep } from "@/lib/visits/record";
import { namedVisitor } from "@/lib/visits/visitor";
import { rowsOf } from "@/scripts/test-amount";
import { setUpTestDatabase } from "@/scripts/test-database";
import { dayOf } from "../rules";
import type { Attention, Dashboard } from "../schema";
import { getAppActivity } from "./get-app-activity";
import { getDashboard } from "./get-dashboard";

setUpTestDatabase();

let admin: TestUser;
beforeAll(async () => {
  admin = await aUser({ admin: true, passwordHash: "$argon2id$" });
});
beforeEach(async () => {
  await awayFromMidnight();
  await databasePool().query(`TRUNCATE "Release" CASCADE; DELETE FROM "App"; DELETE FROM "Upload"; DELETE FROM "File"`);
});

async function dashboard(): Promise<Dashboard> {
  const answer = await send(getDashboard, admin);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body;
}

const ofKind = (items: readonly Attention[], kind: Attention["kind"]) => items.filter((item) => item.kind === kind);
const inDays = (days: number) => new Date(Date.now() + days * DAY_MS);

/** Somebody comes and fetches a release. */
function fetched(releaseId: string, kind: "install" | "download", at = new Date()): Promise<void> {
  recordStep({ releaseId, visitor: namedVisitor(newId()), at, step: "begun", hasManifest: kind === "install" });
  return flushVisits();
}

describe("the dashboard", () => {
  it("of an empty console has no applications, no releases and thirty days of nothing", async () => {
    const { releases, apps, activity, storage, counts } = await dashboard();
    expect({ releases, apps }).toEqual({ releases: [], apps: [] });
    expect(activity.days).toHaveLength(30);
    expect(activity.days.at(-1)).toEqual({
      day: dayOf(new Date()),
      releases: 0,
      installs: 0,
      latestInstalls: 0,
      downloads: 0,
    });
    expect(storage.usedBytes).toBe(0);
    expect(counts).toMatchObject({ apps: 0, environments: 0, releases: 0, testers: 0, users: 1 });
  });

  it("shows the newest releases of all applications with their authors, newest first", async () => {
    const [one, two] = [await anApp(), await anApp()];
    const first = await aRelease(admin, { identifier: one.identifier, environmentId: one.environmentIds[0] as string });
    const second = await aRelease(admin, {
      identifier: two.identifier,
      environmentId: two.environmentIds[0] as string,
    });
    const { releases, counts, storage } = await dashboard();
    expect(releases.map(({ id }) => id)).toEqual([second.id, first.id]);
    expect(releases[0]).toEqual(second);
    expect(counts).toMatchObject({ apps: 2, environments: 2, releases: 2 });
    expect(storage.usedBytes).toBeGreaterThanOrEqual(first.size + second.size);
  });

  it("filters the newest releases by application, platform and age", async () => {
    const [one, two] = [await anApp(), await anApp()];
    const place = (app: typeof one) => ({ identifier: app.identifier, environmentId: app.environmentIds[0] as string });
    const old = await aRelease(admin, place(one), { version: "1.0" });
    await db.release.update({ where: { id: old.id }, data: { deployDate: inDays(-10) } });
    const recent = await aRelease(admin, place(one), { version: "1.1" });
    const other = await aRelease(admin, place(two));
    const newest = async (input: Record<string, string | number>) => {
      const { body } = await send(getDashboard, admin, input);
      return body.releases.map(({ id }: Dashboard["releases"][number]) => id);
    };
    expect(await newest({ appId: one.appId })).toEqual([recent.id, old.id]);
    expect(await newest({ appId: one.appId, days: 7 })).toEqual([recent.id]);
    expect(await newest({ days: 7 })).toEqual([other.id, recent.id]);
    expect(await newest({ platformId: other.platform.id })).toEqual([other.id, recent.id, old.id]);
    expect(await newest({ platformId: newId() })).toEqual([]);
  });

  it("shows the applications with the latest releases first, with their environments and installs", async () => {
    const quiet = await anApp({ name: "Quiet", environments: [] });
    const app = await anApp({ environments: [{ name: "Dev" }, { name: "Staging" }] });
    const [dev, staging] = app.environmentIds as [string, string];
    await aRelease(admin, { identifier: app.identifier, environmentId: dev }, { version: "1.0" });
    const newest = await aRelease(admin, { identifier: app.identifier, environmentId: dev }, { version: "1.1" });
    await fetched(newest.id, "install");
    await fetched(newest.id, "install", inDays(-2));
    await fetched(newest.id, "install", inDays(-20));
    await fetched(newest.id, "download");
    const { apps, activity } = await dashboard();
    expect(apps.map(({ id }) => id)).toEqual([app.appId, quiet.appId]);
    expect(apps[0]).toMatchObject({
      environments: [
        { id: dev, latest: { id: newest.id, version: "1.1" } },
        { id: staging, latest: null },
      ],
      installs: [0, 0, 0, 0, 1, 0, 1],
    });
    expect(apps[1]).toMatchObject({ environments: [], installs: [0, 0, 0, 0, 0, 0, 0] });
    expect(activity.days.at(-1)).toMatchObject({ releases: 2, installs: 1, downloads: 1 });
    expect(activity.days.map(({ installs }) => installs).reduce((sum, count) => sum + count)).toBe(3);
  });

  it("names what expires within 30 days, the first one first, and nothing else", async () => {
    const app = await anApp();
    const environmentId = app.environmentIds[0] as string;
    const place = { appId: app.appId, environmentId };
    await aToken({ ...place, validUntil: inDays(12) });
    await aToken({ ...place, validUntil: inDays(40) });
    await aToken({ ...place, validUntil: inDays(-9) });
    const profile = (days: number) => ({ profile: { expires: inDays(days) } });
    await aRelease(admin, { identifier: app.identifier, environmentId }, profile(3));
    const release = await aRelease(admin, { identifier: app.identifier, environmentId }, profile(8));
    const { attention } = await dashboard();
    const expiring = attention.filter((item) => "expiresAt" in item);
    expect(expiring).toMatchObject([
      { kind: "profile", release: { id: release.id }, environment: { id: environmentId } },
      { kind: "token", name: "CI", app: { id: app.appId } },
    ]);
  });

  it("names the certificate that signed a release, and that of the console's address", async () => {
    const app = await anApp();
    const environmentId = app.environmentIds[0] as string;
    const release = await aRelease(admin, { identifier: app.identifier, environmentId });
    const { installer } = await db.release.findUniqueOrThrow({ where: { id: release.id } });
    const data = { installer: { ...(installer as object), certificateExpiry: inDays(4).toISOString() } };
    await db.release.update({ where: { id: release.id }, data });
    const seen = `2026-01-01 – ${inDays(9).toISOString().slice(0, 10)}`;
    const finding = { code: "tls_expiry", result: "ok", seen, problem: null };
    const ranAt = inDays(1);
    const check = { ranAt, findings: [finding] };
    await db.installCheck.upsert({
      where: { releaseId: release.id },
      create: { releaseId: release.id, ...check },
      update: check,
    });
    const { attention } = await dashboard();
    await db.installCheck.deleteMany();
    expect(attention.filter(({ kind }) => kind === "signingCertificate" || kind === "tls")).toMatchObject([
      { kind: "signingCertificate", release: { id: release.id }, environment: { id: environmentId } },
      { kind: "tls", host: new URL(env.APP_URL).host },
    ]);
  });

  it("names what expires soon also if a hundred certificates and tokens expired before", async () => {
    const app = await anApp();
    const environmentId = app.environmentIds[0] as string;
    await databasePool().query(
      `INSERT INTO "ApiToken" ("id", "name", "appId", "environmentId", "identifiers", "scopes", "prefix", "hash", "validUntil")
       SELECT gen_random_uuid(), 'old', $1, $2, ARRAY['*'], ARRAY['release:read'], 'p', sha256(n::text::bytea), now() - interval '1 day'
       FROM generate_series(1, 120) n`,
      [app.appId, environmentId],
    );
    const certificate = (name: string, days: number) => ({
      ...{ id: newId(), environmentId, name, key: name, fileName: "a.pem", format: "pem", sha256: "0".repeat(64) },
      ...{ value: Buffer.alloc(100), version: 1, updatedAt: new Date(), expirationDate: inDays(days) },
    });
    const old = Array.from({ length: 120 }, (_, index) => certificate(`OLD_${index}`, -400));
    await db.secureCertificate.createMany({ data: [...old, certificate("SOON", 6)] });
    await aToken({ appId: app.appId, environmentId, validUntil: inDays(5) });
    const { attention } = await dashboard();
    const coming = attention.filter((item) => "expiresAt" in item && item.expiresAt > new Date().toISOString());
    expect(coming).toMatchObject([
      { kind: "token", name: "CI" },
      { kind: "certificate", name: "SOON" },
    ]);
  });

  it("says that the audit log was changed, as long as a verification finds it so", async () => {
    const faults = [{ fault: "changed", id: "12" }];
    const data = { finishedAt: new Date(), verifiedTo: 20n };
    await db.auditVerification.create({ data: { kind: "new", ...data, faults: [{ fault: "changed", id: "18" }] } });
    await db.auditVerification.create({ data: { kind: "all", ...data, faults } });
    expect((await dashboard()).attention).toContainEqual({ kind: "audit", firstRecord: 12 });
    await db.auditVerification.deleteMany();
    expect((await dashboard()).attention.filter(({ kind }) => kind === "audit")).toEqual([]);
  });

  it("says that mails are not sent, that the address is local, and how many invitations wait", async () => {
    await aUser();
    const { attention } = await dashboard();
    expect(ofKind(attention, "mail")).toHaveLength(1);
    expect(ofKind(attention, "address")).toHaveLength(1);
    const waiting = await db.user.count({ where: { provider: "email", passwordHash: null, status: "active" } });
    expect(ofKind(attention, "invitations")).toEqual([{ kind: "invitations", count: waiting }]);
    expect(ofKind(attention, "store")).toEqual([]);
  });

  it("names the queues whose jobs fail", async () => {
    const states = ["failed", "retry", "completed", "created"];
    for (const state of states) {
      const releaseId = newId();
      await requestInstallChecks(db, [releaseId]);
      await databasePool().query(
        "UPDATE pgboss.job SET state = $2::pgboss.job_state, completed_on = now() WHERE data->'releaseIds'->>0 = $1",
        [releaseId, state],
      );
    }
    const { attention } = await dashboard();
    expect(ofKind(attention, "jobs")).toMatchObject([{ kind: "jobs", queue: "install-check", count: 2 }]);
    await databasePool().query("DELETE FROM pgboss.job");
  });

  it("costs no more with many releases and downloads than with few", async () => {
    const app = await anApp({ environments: [{ name: "Dev" }, { name: "Staging" }] });
    const model = await aRelease(admin, { identifier: app.identifier, environmentId: app.environmentIds[0] as string });
    const grow = async (releases: number, downloads: number) => {
      await databasePool().query(
        `INSERT INTO "Release" ("id", "environmentId", "platformId", "fileId", "version", "buildNumber", "identifier",
           "displayName", "description", "iosEnabled", "installer", "metadata", "deployDate")
         SELECT gen_random_uuid(), ($1::uuid[])[1 + n % 2], r."platformId", r."fileId", '1', n::text, 'a', 'A', 'd', true,
           r."installer", '{}', now() - n % 40 * interval '1 day'
         FROM generate_series(1, $3::int) n, "Release" r WHERE r."id" = $2`,
        [app.environmentIds, model.id, releases],
      );
      await databasePool().query(
        `INSERT INTO "InstallVisit" ("releaseId", "visitorId", "environmentId", "day", "lastAt")
         SELECT $1, gen_random_uuid(), $3, current_date - n % 40, now() FROM generate_series(1, $2::int) n`,
        [model.id, downloads, app.environmentIds[0]],
      );
      await databasePool().query(
        `UPDATE "InstallVisit" SET "os" = 'ios', "osVersion" = (12 + random() * 14)::int, "openedAt" = now(), "begunAt" = now(),
           "manifestAt" = CASE WHEN random() < 0.5 THEN now() END WHERE "begunAt" IS NULL`,
      );
      await databasePool().query(`SELECT fold_past_activity((now() AT TIME ZONE 'UTC')::date)`);
      await databasePool().query("VACUUM (ANALYZE)");
      return blocksRead(async () => {
        await dashboard();
        await send(getAppActivity, admin, { appId: app.appId });
      });
    };
    const few = await grow(rowsOf(1_000), rowsOf(10_000));
    const many = await grow(rowsOf(5_000), rowsOf(50_000));
    expect(many).toBeLessThanOrEqual(few * 1.3);
  });

  it("asks the database ten times", async () => {
    const app = await anApp();
    await aRelease(admin, { identifier: app.identifier, environmentId: app.environmentIds[0] as string });
    expect(await statementsOf(dashboard)).toHaveLength(10);
  });
});

describe("the activity of an application", () => {
  it("has the installs of the latest build, and the systems on which testers opened releases", async () => {
    const app = await anApp();
    const [environmentId] = app.environmentIds as [string];
    const old = await aRelease(admin, { identifier: app.identifier, environmentId }, { version: "1.0" });
    const latest = await aRelease(admin, { identifier: app.identifier, environmentId }, { version: "1.1" });
    for (const id of [old.id, latest.id, latest.id]) await fetched(id, "install");
    const someone = () => aUser({ grants: [{ scopes: ["release:read"], apps: [{ appId: app.appId }] }] });
    const tester = await someone();
    const open = async (device: string, osVersion: string | null, caller?: TestUser) =>
      send(recordTestingDeployOpening, caller ?? (await someone()), { id: latest.id, device, osVersion });
    for (const version of ["18.1", "18.2.1", "17.5"]) await open("ios", version);
    await open("android", "35");
    await open("android", null);
    await open("android", "99999");
    // Once for each person, and of publishers the phones; computers are no test devices.
    for (const _ of [1, 2, 3]) await open("ios", "26.1", tester);
    await open("desktop", null);
    await open("ios", "26.0", admin);
    await open("desktop", null, admin);
    const { body } = await send(getAppActivity, tester, { appId: app.appId });
    expect(body.days.at(-1)).toMatchObject({ installs: 3, latestInstalls: 2 });
    expect(body.systems).toEqual([
      { device: "android", version: null, openings: 2 },
      { device: "ios", version: "18", openings: 2 },
      { device: "ios", version: "26", openings: 2 },
      { device: "android", version: "35", openings: 1 },
      { device: "ios", version: "17", openings: 1 },
    ]);
    expect(body.otherOpenings).toBe(0);
    expect((await dashboard()).activity).toMatchObject({ systems: body.systems });
    await db.environment.delete({ where: { id: environmentId } });
    expect((await dashboard()).activity.systems).toHaveLength(5);
    expect(await db.dailyOpening.count({ where: { environmentId } })).toBe(0);
  });

  it("is that of the environments in which the caller reads releases", async () => {
    const app = await anApp({ environments: [{ name: "Dev" }, { name: "Staging" }] });
    const [dev, staging] = app.environmentIds as [string, string];
    for (const environmentId of [dev, dev, staging]) {
      await publish(admin, anIpa(app.identifier), "a.ipa", { environmentId });
    }
    const grants = (environmentIds: string[]) => [
      { scopes: ["release:read" as const], apps: [{ appId: app.appId, environmentIds }] },
    ];
    const tester = await aUser({ grants: grants([dev]) });
    const releasesOf = async (caller: TestUser, more = {}) => {
      const { body } = await send(getAppActivity, caller, { appId: app.appId, days: 2, ...more });
      return body.days.map(({ releases }: { releases: number }) => releases);
    };
    expect(await releasesOf(admin)).toEqual([0, 3]);
    expect(await releasesOf(admin, { environmentId: staging })).toEqual([0, 1]);
    expect(await releasesOf(tester)).toEqual([0, 2]);
    expect(await releasesOf(tester, { environmentId: staging })).toEqual([0, 0]);
    expect((await send(getAppActivity, await aUser(), { appId: app.appId })).status).toBe(404);
  });
});
