import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import { db } from "@/lib/db/client";
import { createEnvironmentApp } from "@/lib/features/environments/operations/create-environment-app";
import { recordTestingDeployOpening } from "@/lib/features/releases/operations/record-testing-deploy-opening";
import { newId } from "@/lib/kernel/ids";
import { moveToBin } from "@/lib/storage/bin";
import { makeRecipients, RECIPIENTS_BATCH } from "@/lib/testers/distributions";
import { anApp, aToken, aUser, type Caller, send } from "@/lib/testing/console";
import { LONG_TRANSACTION, untilWaitingForLocks } from "@/lib/testing/locks";
import { anIpa, aRelease, publish } from "@/lib/testing/releases";
import { aTesterGroup, grantGroup, membersOf } from "@/lib/testing/tester-groups";
import { aWebhook, deliveriesOf } from "@/lib/testing/webhooks";
import { makeWorld, type World } from "@/lib/testing/world";
import { setUpTestDatabase } from "@/scripts/test-database";
import { distributeRelease } from "./operations/distribute-release";
import { getDistributionGroups } from "./operations/get-distribution-groups";
import { getNotificationSettings } from "./operations/get-notification-settings";
import { getReleaseDistributions } from "./operations/get-release-distributions";
import { importTesterGroupMembers } from "./operations/import-tester-group-members";
import { updateNotificationSettings } from "./operations/update-notification-settings";

setUpTestDatabase();

let world: World;
beforeAll(async () => {
  process.env.SMTP_URL = "smtp://127.0.0.1:9";
  world = await makeWorld();
});

const aGroup = (input: Record<string, unknown> = {}) => aTesterGroup(world.admin, { appId: world.app.appId, ...input });
const publishOne = () =>
  aRelease(world.admin, { identifier: world.app.identifier, environmentId: world.environmentId });
const distribute = (releaseId: string, groupIds: string[], more = {}) =>
  send(distributeRelease, world.admin, { releaseId, groupIds, ...more });
const work = () => makeRecipients(() => new Date());
const shown = async (releaseId: string) =>
  (await send(getReleaseDistributions, world.admin, { releaseId, limit: 100 })).body;

/** A user who may read the releases of the environment. */
const aReader = () => {
  const apps = [{ appId: world.app.appId, environmentIds: [world.environmentId] }];
  return aUser({ grants: [{ scopes: ["release:read"], apps }] });
};

/** Another environment of the application. @returns its ID */
async function anEnvironment(): Promise<string> {
  const input = { appId: world.app.appId, name: "Other", identifiers: [world.app.identifier] };
  return (await send(createEnvironmentApp, world.admin, input)).body.id;
}

const outsider = () => `${randomUUID()}@example.test`;
const confirm = (emails: string[]) =>
  db.tester.updateMany({ where: { email: { in: emails } }, data: { confirmedAt: new Date() } });

describe("a release that is distributed", () => {
  it("is told to users who may read it and to those without an account who agreed, and nobody else", async () => {
    const [reader, stranger, ofGroup] = [await aReader(), await aUser(), await aUser()];
    const [agreed, pending, off, bounced] = [outsider(), outsider(), outsider(), outsider()] as [
      string,
      string,
      string,
      string,
    ];
    const { id } = await aGroup({
      userIds: [reader.userId, stranger.userId, ofGroup.userId],
      emails: [agreed, pending, off, bounced],
    });
    await grantGroup(ofGroup, id);
    await grantGroup(stranger, (await aGroup()).id);
    await confirm([agreed, off, bounced]);
    await db.tester.updateMany({ where: { email: off }, data: { mail: false } });
    await db.tester.updateMany({ where: { email: bounced }, data: { bouncedAt: new Date() } });
    const release = await publishOne();
    const answer = await distribute(release.id, [id]);
    expect([answer.status, answer.body.state, answer.body.processed]).toEqual([202, "pending", 0]);
    await work();
    const { items, distributions, counts } = await shown(release.id);
    expect(
      Object.fromEntries(items.map(({ email, userId, state }: Record<string, string>) => [userId ?? email, state])),
    ).toEqual({
      [reader.userId]: "waiting",
      [ofGroup.userId]: "waiting",
      [stranger.userId]: "no-access",
      [agreed]: "waiting",
      [pending]: "pending",
      [off]: "off",
      [bounced]: "bounced",
    });
    expect(distributions).toMatchObject([{ state: "done", total: 7, processed: 7, recipients: 3 }]);
    expect(counts).toEqual({ recipients: 7, told: 0, opened: 0, installed: 0 });
  });

  it("shows a refused address of somebody who has not agreed", async () => {
    const email = outsider();
    const { id } = await aGroup({ emails: [email] });
    const release = await publishOne();
    await distribute(release.id, [id]);
    await work();
    expect((await shown(release.id)).items).toMatchObject([{ state: "pending" }]);
    await db.tester.updateMany({ where: { email }, data: { bouncedAt: new Date() } });
    expect((await shown(release.id)).items).toMatchObject([{ state: "bounced" }]);
  });

  it("does not say of somebody who has agreed since that they have not", async () => {
    const email = outsider();
    const { id } = await aGroup({ emails: [email] });
    const release = await publishOne();
    await distribute(release.id, [id]);
    await work();
    await confirm([email]);
    expect((await shown(release.id)).items).toMatchObject([{ state: "silent" }]);
    await distribute(release.id, [id]);
    await work();
    expect((await shown(release.id)).items).toMatchObject([{ state: "waiting" }]);
  });

  it("has one row for each person, however many groups and distributions", async () => {
    const email = outsider();
    const [one, two] = [await aGroup({ emails: [email] }), await aGroup({ emails: [email] })];
    await confirm([email]);
    const release = await publishOne();
    await Promise.all([
      distribute(release.id, [one.id]),
      distribute(release.id, [two.id]),
      distribute(release.id, [one.id, two.id]),
    ]);
    await Promise.all([work(), work()]);
    const { items, distributions } = await shown(release.id);
    expect(items).toHaveLength(1);
    expect(distributions).toHaveLength(3);
    expect(distributions.reduce((sum: number, { recipients }: { recipients: number }) => sum + recipients, 0)).toBe(1);
  });

  it("tells nobody without notify, and tells the same people once with it", async () => {
    const email = outsider();
    const { id } = await aGroup({ emails: [email] });
    await confirm([email]);
    const release = await publishOne();
    await distribute(release.id, [id], { notify: false });
    await work();
    expect((await shown(release.id)).items).toMatchObject([{ state: "silent" }]);
    await distribute(release.id, [id]);
    await work();
    expect((await shown(release.id)).items).toMatchObject([{ state: "waiting" }]);
    await distribute(release.id, [id], { notify: false });
    await work();
    expect((await shown(release.id)).items).toMatchObject([{ state: "waiting" }]);
  });

  it("keeps when a user has opened it", async () => {
    const reader = await aReader();
    const { id } = await aGroup({ userIds: [reader.userId] });
    const release = await publishOne();
    await distribute(release.id, [id]);
    await work();
    const opened = await send(recordTestingDeployOpening, reader, { id: release.id, device: "ios" });
    expect(opened.status).toBe(200);
    const { items, counts } = await shown(release.id);
    expect(items[0].openedAt).toEqual(expect.any(String));
    expect(counts).toMatchObject({ opened: 1, installed: 0 });
  });

  it("reaches the other groups if one of them is deleted during the distribution", async () => {
    const emails = Array.from({ length: RECIPIENTS_BATCH }, outsider);
    const first = await aGroup();
    const ids = emails.map(() => newId());
    await db.tester.createMany({
      data: emails.map((email, index) => ({ id: ids[index] as string, email, locale: "es" })),
    });
    const members = ids.map((testerId) => ({ id: newId(), groupId: first.id, testerId }));
    await db.testerGroupMember.createMany({ data: members });
    const last = outsider();
    const second = await aGroup({ emails: [last] });
    const release = await publishOne();
    await distribute(release.id, [first.id, second.id]);
    const { working } = await db.$transaction(async (tx) => {
      await tx.tester.deleteMany({ where: { id: { in: ids } } });
      const working = work();
      await untilWaitingForLocks(1);
      return { working };
    }, LONG_TRANSACTION);
    await working;
    const { items, distributions } = await shown(release.id);
    expect([items.map(({ email }: { email: string }) => email), distributions[0].state]).toEqual([[last], "done"]);
  });

  it("is an event for webhooks once its recipients are complete", async () => {
    const webhookId = await aWebhook(["release.distributed"]);
    const email = outsider();
    const { id, name } = await aGroup({ emails: [email] });
    await confirm([email]);
    const release = await publishOne();
    await distribute(release.id, [id]);
    expect(await deliveriesOf(webhookId)).toHaveLength(0);
    await work();
    expect(await deliveriesOf(webhookId)).toMatchObject([
      { type: "release.distributed", data: { recipients: 1, groups: [{ id, name }], release: { id: release.id } } },
    ]);
  });

  it("waits for one of those of another caller at a time, not for all", async () => {
    const { id } = await aGroup({ userIds: [(await aReader()).userId] });
    const many = [await publishOne(), await publishOne(), await publishOne()];
    for (const release of many) await distribute(release.id, [id]);
    const one = await publishOne();
    await send(distributeRelease, await aUser({ admin: true }), { releaseId: one.id, groupIds: [id] });
    let ticks = Date.now();
    await makeRecipients(() => new Date(ticks++));
    const order = await db.releaseDistribution.findMany({
      where: { releaseId: { in: [...many, one].map((release) => release.id) } },
      orderBy: { finishedAt: "asc" },
    });
    expect(order.findIndex(({ releaseId }) => releaseId === one.id)).toBe(1);
  });

  it("to more people than a batch is continued where an interrupted run ended", async () => {
    const { id } = await aGroup();
    const people = RECIPIENTS_BATCH * 2 + 5;
    const csv = Array.from({ length: people }, (_, index) => `batch${index}-${id}@example.test`).join("\n");
    await send(importTesterGroupMembers, world.admin, { groupId: id, csv });
    const release = await publishOne();
    await distribute(release.id, [id]);
    const stop = new AbortController();
    const interrupted = makeRecipients(() => {
      stop.abort();
      return new Date();
    }, stop.signal);
    await expect(interrupted).rejects.toThrow();
    expect((await shown(release.id)).distributions).toMatchObject([
      { state: "pending", total: people, processed: RECIPIENTS_BATCH },
    ]);
    await work();
    const { distributions, counts } = await shown(release.id);
    expect(distributions).toMatchObject([{ state: "done", processed: people }]);
    expect(counts.recipients).toBe(people);
  });
});

describe("a publication that names groups", () => {
  const publishTo = async (
    fields: Record<string, string>,
    caller: Caller = world.admin,
    bytes = anIpa(world.app.identifier),
  ) => publish(caller, bytes, "Example.ipa", { environmentId: world.environmentId, ...fields });

  it("distributes to them by name or ID, and tells them unless it says not to", async () => {
    const email = outsider();
    const group = await aGroup({ emails: [email] });
    await confirm([email]);
    for (const [fields, state] of [
      [{ groups: group.name.toUpperCase() }, "waiting"],
      [{ groups: group.id, notify: "false" }, "silent"],
    ] as const) {
      const { status, body } = await publishTo(fields);
      expect(status).toBe(201);
      await work();
      expect((await shown(body.id)).items).toMatchObject([{ email, state }]);
    }
  });

  it("distributes a build that is there already to the groups that do not have it, once", async () => {
    const [first, further] = [await aGroup(), await aGroup()];
    const bytes = anIpa(world.app.identifier);
    const { status, body } = await publishTo({ groups: first.name }, world.admin, bytes);
    expect(status).toBe(201);
    const outcome = async (groups: string) => {
      const answer = await publishTo({ groups, notify: "false" }, world.admin, bytes);
      const distributions = await db.releaseDistribution.findMany({
        where: { releaseId: body.id },
        orderBy: { createdAt: "asc" },
      });
      const record = await db.auditRecord.findFirstOrThrow({
        where: { recordId: body.id, action: "create-repeated" },
        orderBy: { id: "desc" },
      });
      const { groups: audited } = record.changes as Record<string, unknown>;
      return [answer.status, distributions.map(({ groupIds, notify }) => [groupIds, notify]), audited];
    };
    const told = [[first.id], true];
    expect(await outcome(first.name)).toEqual([200, [told], undefined]);
    expect(await outcome(further.id)).toEqual([200, [told, [[further.id], false]], [null, [further.id]]]);
    expect(await outcome(further.id)).toEqual([200, [told, [[further.id], false]], undefined]);
    expect((await publishTo({ groups: "Nobody" }, world.admin, bytes)).body.errors?.[0].path).toBe("groups");
    const place = { appId: world.app.appId, environmentId: world.environmentId };
    const publisher = await aToken({ ...place, scopes: ["release:create"] });
    expect((await publishTo({ groups: further.id }, publisher, bytes)).status).toBe(403);
  });

  it("is not found if it names a build that is deleted at the same moment", async () => {
    const group = await aGroup();
    const bytes = anIpa(world.app.identifier);
    const { id } = (await publishTo({}, world.admin, bytes)).body;
    const [answer] = await db.$transaction(async (tx) => {
      await tx.$queryRaw`SELECT 1 FROM "Release" WHERE "id" = ${id}::uuid FOR UPDATE`;
      const waiting = publishTo({ groups: group.id }, world.admin, bytes);
      await untilWaitingForLocks(1);
      await moveToBin(tx, id, { reason: "deleted", userId: null, tokenId: null, now: new Date() });
      return [waiting];
    }, LONG_TRANSACTION);
    expect((await answer)?.status).toBe(404);
  });

  it("publishes nothing if there is no such group, or the caller may not tell testers", async () => {
    const before = await db.release.count();
    const unknown = await publishTo({ groups: "Nobody" });
    expect([unknown.status, unknown.body.errors?.[0].path]).toEqual([422, "groups"]);
    const group = await aGroup();
    const place = { appId: world.app.appId, environmentId: world.environmentId };
    const publisher = await aToken({ ...place, scopes: ["release:create"] });
    expect((await publishTo({ groups: group.id }, publisher)).status).toBe(403);
    expect((await publishTo({}, publisher)).status).toBe(201);
    expect(await db.release.count()).toBe(before + 1);
  });
});

it("a group of another environment or application is refused, and nothing is distributed", async () => {
  const other = await anApp();
  const elsewhere = await aGroup({ environmentIds: [await anEnvironment()] });
  const foreign = await aTesterGroup(world.admin, { appId: other.appId });
  const own = await aGroup({ environmentIds: [world.environmentId] });
  const release = await publishOne();
  for (const groupIds of [[foreign.id], [own.id, elsewhere.id], [randomUUID()]]) {
    const answer = await distribute(release.id, groupIds);
    expect([answer.status, answer.body.errors?.[0].path]).toEqual([422, "groupIds"]);
  }
  expect((await shown(release.id)).distributions).toEqual([]);
  const { items } = (await send(getDistributionGroups, world.server, { environmentId: world.environmentId })).body;
  const ids = items.map((group: { id: string }) => group.id);
  expect([ids.includes(own.id), ids.includes(elsewhere.id), ids.includes(foreign.id)]).toEqual([true, false, false]);
});

describe("the settings of a user", () => {
  it("turn off all notices, or those of a group, and drop what was still to be told", async () => {
    const reader = await aReader();
    const [one, two] = [await aGroup({ userIds: [reader.userId] }), await aGroup({ userIds: [reader.userId] })];
    const change = (input: object) => send(updateNotificationSettings, reader, input as never);
    expect((await change({ groups: [{ id: one.id, notify: false }] })).body).toMatchObject({ mail: true });
    const release = await publishOne();
    await distribute(release.id, [one.id]);
    await work();
    expect((await shown(release.id)).items).toMatchObject([{ state: "off" }]);
    await distribute(release.id, [two.id]);
    await work();
    expect((await shown(release.id)).items).toMatchObject([{ state: "waiting" }]);
    await change({ mail: false });
    expect((await shown(release.id)).items).toMatchObject([{ state: "off" }]);
    expect((await send(getNotificationSettings, reader, {})).body.mail).toBe(false);
  });

  it("say that the address was refused, until the mails are turned on again", async () => {
    const reader = await aReader();
    const { id: groupId } = await aGroup({ userIds: [reader.userId] });
    const isBounced = async () => (await send(getNotificationSettings, reader, {})).body.bounced;
    expect(await isBounced()).toBe(false);
    await db.tester.update({ where: { userId: reader.userId }, data: { bouncedAt: new Date() } });
    await send(updateNotificationSettings, reader, { mail: false });
    expect(await isBounced()).toBe(true);
    expect((await send(updateNotificationSettings, reader, { mail: true })).body.bounced).toBe(false);
    expect(await membersOf(world.admin, groupId)).toMatchObject([{ state: "confirmed" }]);
  });

  it("are kept before they are in a group", async () => {
    const reader = await aReader();
    const changed = await send(updateNotificationSettings, reader, { mail: false, push: false });
    expect(changed.body).toMatchObject({ mail: false, push: false });
    const { id } = await aGroup({ userIds: [reader.userId] });
    expect(await membersOf(world.admin, id)).toMatchObject([{ state: "off" }]);
  });

  it("are of the groups that they are in", async () => {
    const { id } = await aGroup();
    const answer = await send(updateNotificationSettings, await aReader(), { groups: [{ id, notify: false }] });
    expect([answer.status, answer.body.errors?.[0].path]).toEqual([422, "groups"]);
  });
});
