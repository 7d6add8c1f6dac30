import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { ensureServerKeys } from "@/lib/auth/server-keys";
import { databasePool, db } from "@/lib/db/client";
import { updateNotificationSettings } from "@/lib/features/testers/operations/update-notification-settings";
import { newId } from "@/lib/kernel/ids";
import { DAY_MS } from "@/lib/kernel/time";
import type { MailRequest } from "@/lib/mail/send";
import { anApp, aToken, aUser, send, type TestUser } from "@/lib/testing/console";
import { aRelease } from "@/lib/testing/releases";
import { withTwoFactor } from "@/lib/testing/two-factor";
import { setUpTestDatabase } from "@/scripts/test-database";
import { expiryMailsJob, requestExpiryMails } from "./expiry-mails";
import { mailJob } from "./mail";
import { closeQueues, queueOf } from "./queue";

setUpTestDatabase();

const now = new Date();
const inDays = (days: number, hours = 0) => new Date(now.getTime() + days * DAY_MS + hours * 3_600_000);
/** Noon, so that hours do not change the day. */
now.setUTCHours(12, 0, 0, 0);

let admin: TestUser;
let app: Awaited<ReturnType<typeof anApp>>;
let environmentId: string;

type Mail = Extract<MailRequest, { purpose: "expiring" }>;

/** The mails that were requested since the last call, by the user. */
async function takeMails(): Promise<Map<string, { names: string[]; days: number[]; count: number }>> {
  const { rows } = await databasePool().query<{ data: Mail }>(
    "DELETE FROM pgboss.job WHERE name = 'mail' RETURNING data",
  );
  const mails = rows.map(({ data: { userId, items, count } }) => {
    const told = { names: items.map(({ name }) => name), days: items.map(({ daysLeft }) => daysLeft), count };
    return [userId as string, told] as const;
  });
  expect(new Set(mails.map(([userId]) => userId)).size).toBe(mails.length);
  return new Map(mails);
}

/** Runs the job at a time. @returns the mails of it */
async function run(at: Date) {
  await requestExpiryMails({ now: at });
  return takeMails();
}

async function aCertificate(name: string, expirationDate: Date): Promise<string> {
  const id = newId();
  await db.secureCertificate.create({
    data: {
      ...{ id, environmentId, name, key: name, fileName: "a.p12", format: "pkcs12", sha256: "0".repeat(64) },
      ...{ value: Buffer.alloc(100), version: 1, updatedAt: now, expirationDate },
    },
  });
  return id;
}

const within = (scope: "release:read" | "release:create" | "secure-certificate:read") => ({
  scopes: [scope],
  apps: [{ appId: app.appId, environmentIds: [environmentId] }],
});

beforeAll(async () => {
  await ensureServerKeys();
  await queueOf(mailJob);
});
afterAll(() => closeQueues(5_000));

beforeEach(async () => {
  await db.user.updateMany({ data: { status: "inactive" } });
  admin = await aUser({ admin: true });
  app = await anApp();
  environmentId = app.environmentIds[0] as string;
  await db.secureCertificate.deleteMany();
  await db.release.deleteMany();
  await db.apiToken.deleteMany();
  await db.expiryNotice.deleteMany();
});

describe("mails about what ends", () => {
  it("come once at each step, however often and in whatever order of days the job runs", async () => {
    await aCertificate("PUSH", inDays(40));
    const told: [number, number][] = [];
    for (let day = 0; day <= 41; day++) {
      for (const at of [inDays(day), inDays(day - 3)]) {
        for (const { days } of (await run(at)).values()) told.push([day, days[0] as number]);
      }
    }
    expect(told).toEqual([
      [10, 30],
      [33, 7],
      [39, 1],
    ]);
  });

  it("come on the day itself, with the next end of a renewed certificate, and not after its end", async () => {
    const id = await aCertificate("PUSH", inDays(0, 6));
    expect((await run(now)).get(admin.userId)).toEqual({ names: ["PUSH"], days: [0], count: 1 });
    expect((await run(inDays(0, 7))).size).toBe(0);
    await db.secureCertificate.update({ where: { id }, data: { expirationDate: inDays(6) } });
    expect((await run(inDays(0, 8))).size).toBe(0);
    expect((await run(inDays(1))).get(admin.userId)?.days).toEqual([5]);
    expect((await run(inDays(7))).size).toBe(0);
  });

  it("are one a day: what is new after it is told the next day", async () => {
    await aCertificate("FIRST", inDays(5));
    expect((await run(now)).get(admin.userId)?.names).toEqual(["FIRST"]);
    await aCertificate("SECOND", inDays(5));
    expect((await run(inDays(0, 1))).size).toBe(0);
    expect((await run(inDays(1))).get(admin.userId)?.names).toEqual(["SECOND"]);
  });

  it("name what their reader may see, and certificates only to who has a second factor", async () => {
    await aRelease(admin, { identifier: app.identifier, environmentId }, { profile: { expires: inDays(6) } });
    await aCertificate("PUSH", inDays(5));
    await aToken({ appId: app.appId, environmentId, validUntil: inDays(4) });
    await db.apiToken.updateMany({ data: { createdAt: inDays(-90) } });
    const reader = await aUser({ grants: [within("release:create")] });
    const holder = await aUser({ grants: [within("secure-certificate:read")] });
    const unproven = await aUser({ grants: [within("secure-certificate:read")] });
    await withTwoFactor(holder);
    await aUser();
    await aUser({ admin: true, status: "inactive" });
    const mails = await run(now);
    expect([...mails.keys()].sort()).toEqual([admin, reader, holder].map(({ userId }) => userId).sort());
    expect(mails.get(unproven.userId)).toBeUndefined();
    expect(mails.get(admin.userId)?.days).toEqual([4, 5, 6]);
    expect(mails.get(reader.userId)?.days).toEqual([6]);
    expect(mails.get(holder.userId)?.names).toEqual(["PUSH"]);
  });

  it("do not come again for another release with the same profile", async () => {
    const place = { identifier: app.identifier, environmentId };
    const expires = inDays(6);
    await aRelease(admin, place, { version: "1.0", profile: { expires } });
    expect((await run(now)).size).toBe(1);
    await aRelease(admin, place, { version: "1.1", profile: { expires } });
    expect((await run(inDays(0.9))).size).toBe(0);
    expect((await run(inDays(1))).size).toBe(0);
  });

  it("do not mention a token at a step that is longer than its life", async () => {
    await aToken({ appId: app.appId, environmentId, validUntil: inDays(20) });
    await db.apiToken.updateMany({ data: { createdAt: now } });
    expect((await run(inDays(1))).size).toBe(0);
    expect((await run(inDays(13))).get(admin.userId)?.days).toEqual([7]);
  });

  it("do not come to who turned them off, and only to them", async () => {
    await aCertificate("PUSH", inDays(5));
    const other = await aUser({ admin: true });
    expect((await send(updateNotificationSettings, other, { expiry: false })).body).toMatchObject({ expiry: false });
    expect([...(await run(now)).keys()]).toEqual([admin.userId]);
    await send(updateNotificationSettings, other, { expiry: true });
    expect([...(await run(now)).keys()]).toEqual([other.userId]);
  });

  it("name the first twenty, and are requested once by two runs at the same time", async () => {
    for (let index = 0; index < 23; index++) await aCertificate(`C${index}`, inDays(3, index / 10));
    const counts = await Promise.all([requestExpiryMails({ now }), requestExpiryMails({ now })]);
    expect(counts[0] + counts[1]).toBe(1);
    const mail = (await takeMails()).get(admin.userId);
    expect([mail?.count, mail?.names.length, mail?.names[0]]).toEqual([23, 20, "C0"]);
  });

  it("are requested by the job", async () => {
    await aCertificate("PUSH", new Date(Date.now() + 3 * DAY_MS));
    await expiryMailsJob.run({}, { id: newId(), signal: new AbortController().signal });
    expect([...(await takeMails()).keys()]).toEqual([admin.userId]);
  });
});
