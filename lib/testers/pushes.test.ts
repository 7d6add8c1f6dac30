import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { pushKeys } from "@/lib/auth/server-keys";
import { db } from "@/lib/db/client";
import { createPushSubscription } from "@/lib/features/testers/operations/create-push-subscription";
import { deletePushSubscription } from "@/lib/features/testers/operations/delete-push-subscription";
import { distributeRelease } from "@/lib/features/testers/operations/distribute-release";
import { getDistributionGroups } from "@/lib/features/testers/operations/get-distribution-groups";
import { getNotificationSettings } from "@/lib/features/testers/operations/get-notification-settings";
import { getReleaseDistributions } from "@/lib/features/testers/operations/get-release-distributions";
import { updateNotificationSettings } from "@/lib/features/testers/operations/update-notification-settings";
import { makeOutbound } from "@/lib/http/outbound";
import { env } from "@/lib/kernel/env";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "@/lib/kernel/time";
import { aUser, send, type TestUser } from "@/lib/testing/console";
import { aPushEndpoint, type PushService, startPushService } from "@/lib/testing/push";
import { aRelease } from "@/lib/testing/releases";
import { aTesterGroup } from "@/lib/testing/tester-groups";
import { makeWorld, type World } from "@/lib/testing/world";
import { setUpTestDatabase } from "@/scripts/test-database";
import { makeRecipients } from "./distributions";
import { sendTesterMails } from "./mails";
import { hashOfEndpoint, keepSubscription, MAX_PUSH_SUBSCRIPTIONS } from "./push-subscriptions";
import { PUSH_RETRY_DELAYS_MS, sendPushes } from "./pushes";

setUpTestDatabase();

const { fetch } = makeOutbound(["127.0.0.1"]);
let service: PushService;
let world: World;

beforeAll(async () => {
  service = await startPushService();
  world = await makeWorld();
});
afterAll(() => service.close());
afterEach(async () => {
  service.answer = (response) => response.writeHead(201).end();
  service.received.length = 0;
  await db.pushSubscription.deleteMany();
});

const run = (at = new Date()) => sendPushes({ now: () => at, fetch });
const answering = (status: number, headers: Record<string, string> = {}) => {
  service.answer = (response) => response.writeHead(status, headers).end();
};

/** A user who may read everything, in a new group, with a browser of the test’s push service. */
async function aMember({ mail = true } = {}): Promise<{ user: TestUser; groupId: string }> {
  const user = await aUser({ admin: true });
  const group = await aTesterGroup(world.admin, { appId: world.app.appId, userIds: [user.userId] });
  // Endpoints of the test are on 127.0.0.1, which the operation refuses.
  const tester = await db.tester.findUniqueOrThrow({ where: { userId: user.userId } });
  const given = { ...service.subscribe(), testerId: tester.id, userAgent: null, now: new Date() };
  await db.$transaction((tx) => keepSubscription(tx, given));
  if (!mail) await send(updateNotificationSettings, user, { mail: false });
  return { user, groupId: group.id as string };
}

async function distribute(groupId: string, notes = "Faster start"): Promise<{ id: string }> {
  const place = { identifier: world.app.identifier, environmentId: world.environmentId };
  const release = await aRelease(world.admin, place);
  await db.release.update({ where: { id: release.id }, data: { description: notes } });
  await send(distributeRelease, world.admin, { releaseId: release.id, groupIds: [groupId] });
  await makeRecipients(() => new Date());
  return release;
}

const stateOf = async (releaseId: string) =>
  (await send(getReleaseDistributions, world.admin, { releaseId })).body.items[0].state;

describe("a notification", () => {
  it("is encrypted for the browser, names the release, and is signed with the console’s key", async () => {
    const { groupId } = await aMember({ mail: false });
    const release = await distribute(groupId, "# New\n\n- faster start");
    expect(await stateOf(release.id)).toBe("waiting");
    await run();
    await run();
    const [push, ...more] = service.received;
    expect(more).toEqual([]);
    expect(push?.message).toMatchObject({
      title: expect.stringMatching(/ \S+ \(\S+\)$/),
      body: "# New - faster start",
      url: `/releases?id=${release.id}`,
      tag: world.app.appId,
      lang: "en",
    });
    expect(push?.vapid.publicKey).toBe((await pushKeys()).publicKey);
    expect(push?.vapid.claims).toMatchObject({ aud: `https://${push?.headers.host}`, sub: env.APP_URL });
    expect(push?.headers).toMatchObject({ "content-encoding": "aes128gcm", ttl: "259200", urgency: "normal" });
    expect(push?.headers.topic).toMatch(/^[\w-]{32}$/);
    // Messages do not tell by their length what they say.
    expect(push?.headers["content-length"]).toBe("4096");
    expect(await stateOf(release.id)).toBe("told");
    expect(await db.pushMessage.count()).toBe(0);
  });

  it("reaches a person whose address is refused", async () => {
    const { user, groupId } = await aMember();
    await db.tester.update({ where: { userId: user.userId }, data: { bouncedAt: new Date() } });
    const release = await distribute(groupId);
    expect(await db.testerMail.count({ where: { dueAt: { not: null }, tester: { userId: user.userId } } })).toBe(0);
    await run();
    expect([service.received.length, await stateOf(release.id)]).toEqual([1, "told"]);
  });

  it("of somebody without an account opens their page", async () => {
    const email = `${randomUUID()}@example.test`;
    const group = await aTesterGroup(world.admin, { appId: world.app.appId, emails: [email] });
    const { id: testerId } = await db.tester.findFirstOrThrow({ where: { email } });
    const given = { ...service.subscribe(), testerId, userAgent: null, now: new Date() };
    await db.$transaction((tx) => keepSubscription(tx, given));
    const pending = await distribute(group.id);
    await run();
    expect([service.received, await stateOf(pending.id)]).toEqual([[], "pending"]);
    await db.tester.update({ where: { id: testerId }, data: { confirmedAt: new Date() } });
    const release = await distribute(group.id);
    await run();
    expect(service.received.map(({ message }) => message.url)).toEqual([
      expect.stringMatching(new RegExp(`^/t/[\\w-]{43}/${release.id}$`)),
    ]);
  });

  it("is not sent to somebody who has left the group", async () => {
    const { groupId } = await aMember({ mail: false });
    const release = await distribute(groupId);
    expect(await stateOf(release.id)).toBe("waiting");
    await db.testerGroupMember.deleteMany({ where: { groupId } });
    await run();
    expect([service.received, await stateOf(release.id)]).toEqual([[], "no-access"]);
    expect(await db.pushMessage.count()).toBe(0);
  });

  it("goes to each browser of a person, once, from two instances", async () => {
    const { user, groupId } = await aMember();
    const tester = await db.tester.findUniqueOrThrow({ where: { userId: user.userId } });
    for (let count = 0; count < 20; count++) {
      const given = { ...service.subscribe(), testerId: tester.id, userAgent: null, now: new Date() };
      await db.$transaction((tx) => keepSubscription(tx, given));
    }
    await distribute(groupId);
    await Promise.all([run(), run()]);
    expect(service.received).toHaveLength(MAX_PUSH_SUBSCRIPTIONS);
    expect(new Set(service.received.map(({ path }) => path)).size).toBe(MAX_PUSH_SUBSCRIPTIONS);
  });

  it("is sent again if its instance was killed before it kept the outcome", async () => {
    const { groupId } = await aMember();
    await distribute(groupId);
    const stopped = new Promise<never>(() => {});
    void sendPushes({ now: () => new Date(), fetch: () => stopped });
    await expect.poll(() => db.pushMessage.count({ where: { dueAt: { gt: new Date() } } })).toBe(1);
    await run();
    expect(service.received).toEqual([]);
    await run(new Date(Date.now() + 3 * MINUTE_MS));
    expect(service.received).toHaveLength(1);
  });
});

describe("a push service that", () => {
  it.each([404, 410])(
    "answers %i ends the subscription, and the person is not told if nothing else is due",
    async (status) => {
      const { user, groupId } = await aMember({ mail: false });
      const release = await distribute(groupId);
      answering(status);
      await run();
      expect(await stateOf(release.id)).toBe("off");
      expect((await send(getNotificationSettings, user, {})).body.devices).toEqual([]);
    },
  );

  it("asks for a pause by Retry-After gets it, and no other message until then", async () => {
    const members = [await aMember(), await aMember()];
    for (let count = 0; count < 10; count++) for (const { groupId } of members) await distribute(groupId);
    const now = new Date();
    answering(429, { "retry-after": "7200" });
    await run(now);
    // Those that were sent at the same time.
    expect(service.received).toHaveLength(16);
    answering(201);
    await run(new Date(now.getTime() + HOUR_MS));
    expect(service.received).toHaveLength(16);
    await run(new Date(now.getTime() + 2 * HOUR_MS + 1));
    expect(service.received).toHaveLength(36);
  });

  it("answers 503 is asked again a few times in a day, and then the message is given up", async () => {
    const { groupId } = await aMember({ mail: false });
    const release = await distribute(groupId);
    answering(503, { "retry-after": "soon" });
    let now = Date.now() + 1;
    for (const wait of PUSH_RETRY_DELAYS_MS) {
      await run(new Date(now));
      now += wait;
    }
    expect(await stateOf(release.id)).toBe("waiting");
    await run(new Date(now));
    expect(service.received).toHaveLength(PUSH_RETRY_DELAYS_MS.length + 1);
    expect(await stateOf(release.id)).toBe("off");
    expect(await db.pushSubscription.count()).toBe(1);
  });

  it("asks for a month gets a day", async () => {
    const { groupId } = await aMember();
    await distribute(groupId);
    const now = new Date();
    answering(429, { "retry-after": new Date(now.getTime() + 30 * DAY_MS).toUTCString() });
    await run(now);
    const { dueAt } = await db.pushMessage.findFirstOrThrow();
    expect(dueAt).toEqual(new Date(now.getTime() + DAY_MS));
  });

  it("rejects a message keeps the subscription", async () => {
    const { groupId } = await aMember({ mail: false });
    const release = await distribute(groupId);
    answering(413);
    await run();
    expect([await stateOf(release.id), await db.pushSubscription.count()]).toEqual(["off", 1]);
  });

  it("redirects, or has an address that is not public, is not followed", async () => {
    const { groupId } = await aMember({ mail: false });
    await distribute(groupId);
    answering(307, { location: "https://127.0.0.1:1/" });
    await run();
    expect(await db.pushMessage.findFirstOrThrow()).toMatchObject({ tries: 1 });
    // Without the exception of the test.
    await sendPushes({ now: () => new Date(Date.now() + HOUR_MS) });
    expect(service.received).toHaveLength(1);
    expect(await db.pushSubscription.count()).toBe(0);
  });
});

describe("a user", () => {
  it("who turns notifications off is told by mail alone, and of what waits not at all", async () => {
    const { user, groupId } = await aMember({ mail: false });
    const release = await distribute(groupId);
    const answer = await send(updateNotificationSettings, user, { push: false });
    expect(answer.body).toMatchObject({ mail: false, push: false });
    expect(await stateOf(release.id)).toBe("off");
    const later = await distribute(groupId);
    await run();
    expect([service.received, await stateOf(later.id)]).toEqual([[], "off"]);
    await send(updateNotificationSettings, user, { mail: true });
    expect(await stateOf((await distribute(groupId)).id)).toBe("no-mail");
  });

  it("without such a browser is not told where no mail server is set up, and it says so; the mail is written to a file", async () => {
    const user = await aUser({ grants: [{ scopes: ["release:read"] }] });
    const { id: groupId } = await aTesterGroup(world.admin, { appId: world.app.appId, userIds: [user.userId] });
    const release = await distribute(groupId);
    for (const sent of [false, true]) {
      if (sent) await sendTesterMails({ now: () => new Date() });
      const { body } = await send(getReleaseDistributions, world.admin, { releaseId: release.id });
      expect(body).toMatchObject({
        items: [{ state: "no-mail", toldAt: null }],
        counts: { told: 0 },
        distributions: [{ recipients: 0 }],
      });
    }
    expect(await db.releaseRecipient.count({ where: { releaseId: release.id, mailDue: true } })).toBe(0);
    const { body } = await send(getDistributionGroups, world.admin, { environmentId: world.environmentId });
    expect(body.mail).toBe(false);
  });

  it("subscribes and ends only browsers of their own", async () => {
    const [user, other] = [await aUser(), await aUser()];
    const endpoint = aPushEndpoint();
    const created = await send(createPushSubscription, user, endpoint);
    expect([created.status, (await send(createPushSubscription, user, endpoint)).body.id]).toEqual([
      201,
      created.body.id,
    ]);
    const { pushKey, devices } = (await send(getNotificationSettings, user, {})).body;
    expect(pushKey).toBe((await pushKeys()).publicKey);
    expect(devices).toEqual([created.body]);
    expect(created.body.endpointHash).toBe(hashOfEndpoint(endpoint.endpoint).toString("base64url"));
    const { id } = created.body;
    expect((await send(deletePushSubscription, other, { id })).status).toBe(404);
    expect((await send(deletePushSubscription, user, { id })).status).toBe(204);
    expect((await send(deletePushSubscription, user, { id })).status).toBe(404);
    const stored = JSON.stringify(
      await db.auditRecord.findMany({
        where: { table: "PushSubscription", recordId: user.userId },
        select: { changes: true },
      }),
    );
    for (const secret of [endpoint.endpoint, endpoint.keys.auth, endpoint.keys.p256dh])
      expect(stored).not.toContain(secret);
  });

  it("takes the browser over from its previous user, and not by its endpoint alone", async () => {
    const [user, next, thief] = [await aUser(), await aUser(), await aUser()];
    const endpoint = aPushEndpoint();
    await send(createPushSubscription, user, endpoint);
    const stolen = await send(createPushSubscription, thief, { ...aPushEndpoint(), endpoint: endpoint.endpoint });
    expect([stolen.status, stolen.body.errors?.[0].path]).toEqual([422, "endpoint"]);
    await send(createPushSubscription, next, endpoint);
    expect((await send(getNotificationSettings, user, {})).body.devices).toEqual([]);
    expect((await send(getNotificationSettings, next, {})).body.devices).toHaveLength(1);
  });

  it.each([
    ["http://push.example/1", "endpoint"],
    ["https://127.0.0.1/1", "endpoint"],
    ["https://[::1]/1", "endpoint"],
    ["https://169.254.169.254/latest", "endpoint"],
    ["https://user:password@10.0.0.1/", "endpoint"],
    ["javascript:alert(1)", "endpoint"],
    [`https://push.example/${"a".repeat(2_000)}`, "endpoint"],
  ])("cannot have the console call %.60s", async (endpoint, field) => {
    const answer = await send(createPushSubscription, await aUser(), { ...aPushEndpoint(), endpoint });
    expect([answer.status, answer.body.errors?.[0].path]).toEqual([422, field]);
  });

  it("cannot give keys for which nothing can be encrypted", async () => {
    const { endpoint, keys } = aPushEndpoint();
    const offCurve = Buffer.concat([Buffer.from([4]), Buffer.alloc(64, 1)]).toString("base64url");
    for (const wrong of [
      { ...keys, p256dh: offCurve },
      { ...keys, p256dh: "B" },
      { ...keys, auth: "short" },
    ]) {
      const answer = await send(createPushSubscription, await aUser(), { endpoint, keys: wrong });
      expect(answer.status).toBe(422);
    }
  });
});
