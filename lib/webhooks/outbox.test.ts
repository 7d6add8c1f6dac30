import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { db } from "@/lib/db/client";
import { recordDownloads } from "@/lib/features/releases/data/downloads";
import { deleteTestingDeploy } from "@/lib/features/releases/operations/delete-testing-deploy";
import { inviteUsers } from "@/lib/features/users/operations/invite-users";
import { auditEventData, type ConsoleEvent, EVENT_DATA, type EventType } from "@/lib/kernel/events";
import { newId } from "@/lib/kernel/ids";
import { anApp, aRole, aUser, send, type TestUser } from "@/lib/testing/console";
import { aRelease } from "@/lib/testing/releases";
import { aWebhook, deliveriesOf } from "@/lib/testing/webhooks";
import { setUpTestDatabase } from "@/scripts/test-database";
import { emitEvents, NO_APP } from "./outbox";

setUpTestDatabase();

let admin: TestUser;
let app: Awaited<ReturnType<typeof anApp>>;
let place: { identifier: string; environmentId: string };

beforeAll(async () => {
  admin = await aUser({ admin: true });
  app = await anApp();
  place = { identifier: app.identifier, environmentId: app.environmentIds[0] as string };
});

beforeEach(() => db.webhook.deleteMany());

function invited(email: string): ConsoleEvent {
  const none = { id: newId(), name: "none" };
  const data = {
    user: { id: newId(), email },
    role: none,
    by: { userId: null, tokenId: null },
    url: "https://a.example/",
  };
  return { type: "user.invited", appId: null, data };
}

/** The schema of the data of an event. */
const schemaOf = (type: string) => EVENT_DATA[type as EventType] ?? auditEventData;

describe("an event of a command", () => {
  it("is written with the change, in the order of the audit log, with data that fit its schema", async () => {
    const webhookId = await aWebhook(["release.published", "release.deleted", "audit.create", "audit.delete"]);
    const { id } = await aRelease(admin, place);
    await send(deleteTestingDeploy, admin, { id });
    const deliveries = await deliveriesOf(webhookId);
    expect(deliveries.map(({ type, lane, state }) => [type, lane, state])).toEqual(
      ["release.published", "audit.create", "release.deleted", "audit.delete"].map((type) => [
        type,
        app.appId,
        "pending",
      ]),
    );
    for (const { type, data } of deliveries) expect(schemaOf(type).parse(data)).toEqual(data);
    expect(deliveries[0]?.data).toMatchObject({ release: { id }, by: { userId: admin.userId, tokenId: null } });
    const record = await db.auditRecord.findFirstOrThrow({ where: { recordId: id, action: "create" } });
    expect(deliveries[1]?.data).toEqual({
      id: String(record.id),
      table: "Release",
      recordId: id,
      action: "create",
      eventDate: record.eventDate.toISOString(),
      userId: admin.userId,
      tokenId: null,
      ip: record.ip,
      requestId: record.requestId,
    });
  });

  it("is not written where the call fails", async () => {
    const webhookId = await aWebhook(["release.deleted", "audit.delete", "user.invited", "audit.invite"]);
    await send(deleteTestingDeploy, admin, { id: newId() });
    await send(inviteUsers, admin, { emails: ["a@b.example"], provider: "email", roleId: newId() });
    expect(await deliveriesOf(webhookId)).toEqual([]);
  });

  it("tells of each user who is invited", async () => {
    const webhookId = await aWebhook(["user.invited"]);
    const emails = ["one@people.example", "two@people.example"];
    await send(inviteUsers, admin, { emails, provider: "email", roleId: await aRole() });
    const deliveries = await deliveriesOf(webhookId);
    expect(deliveries.map(({ data }) => EVENT_DATA["user.invited"].parse(data).user.email)).toEqual(emails);
    expect(deliveries.map(({ lane }) => lane)).toEqual([NO_APP, NO_APP]);
  });

  it.each(["release.download-started", "release.installed"] as const)(
    "tells of a download to install, and not of another one, by %s",
    async (type) => {
      const { id: releaseId } = await aRelease(admin, place);
      const webhookId = await aWebhook([type]);
      const download = { releaseId, userId: admin.userId, byLink: true, userAgent: null, at: new Date() };
      await recordDownloads(db, [
        { ...download, kind: "install" },
        { ...download, kind: "download" },
      ]);
      const [delivery, ...more] = await deliveriesOf(webhookId);
      expect(more).toEqual([]);
      expect(EVENT_DATA[type].parse(delivery?.data)).toMatchObject({
        release: { id: releaseId },
        userId: admin.userId,
      });
    },
  );
});

describe("a webhook", () => {
  it("receives the events that it names, of its applications, while it is active", async () => {
    const other = await anApp();
    const [all, own, others, off, deaf] = await Promise.all([
      aWebhook(["release.published"]),
      aWebhook(["release.published"], { allApps: false, appIds: [app.appId] }),
      aWebhook(["release.published", "user.invited"], { allApps: false, appIds: [other.appId] }),
      aWebhook(["release.published"], { status: "inactive" }),
      aWebhook(["release.deleted"]),
    ]);
    await aRelease(admin, place);
    await db.$transaction((tx) => emitEvents(tx, [invited("somebody@people.example")], new Date()));
    const counts = await Promise.all([all, own, others, off, deaf].map(async (id) => (await deliveriesOf(id)).length));
    expect(counts).toEqual([1, 1, 0, 0, 0]);
  });

  it("is told nothing of a transaction that is rolled back", async () => {
    const webhookId = await aWebhook(["user.invited"]);
    const failed = db.$transaction(async (tx) => {
      expect(await emitEvents(tx, [invited("nobody@people.example")], new Date())).toBe(1);
      throw new Error("rolled back");
    });
    await expect(failed).rejects.toThrow("rolled back");
    expect(await deliveriesOf(webhookId)).toEqual([]);
  });
});

it("an event whose data do not fit its schema is refused", async () => {
  const event = invited("somebody@people.example");
  const wrong = { ...event, data: Object.assign({ password: "secret" }, event.data) } as ConsoleEvent;
  await expect(db.$transaction((tx) => emitEvents(tx, [wrong], new Date()))).rejects.toThrow();
});
