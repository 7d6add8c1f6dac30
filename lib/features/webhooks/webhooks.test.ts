import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { db } from "@/lib/db/client";
import { newId } from "@/lib/kernel/ids";
import { anApp, aUser, send, type TestUser } from "@/lib/testing/console";
import { startReceiver } from "@/lib/testing/webhook-receiver";
import { aDelivery, aWebhook, deliveriesOf } from "@/lib/testing/webhooks";
import { setUpTestDatabase } from "@/scripts/test-database";
import { createWebhook } from "./operations/create-webhook";
import { deleteWebhook } from "./operations/delete-webhook";
import { getWebhookDeliveries } from "./operations/get-webhook-deliveries";
import { getWebhooks } from "./operations/get-webhooks";
import { redeliverWebhook } from "./operations/redeliver-webhook";
import { testWebhook } from "./operations/test-webhook";
import { updateWebhook } from "./operations/update-webhook";

process.env.OUTBOUND_ALLOWED_HOSTS = "127.0.0.1";
setUpTestDatabase();

let admin: TestUser;
const given = { name: "Builds", url: "https://hooks.example/services/T000/secret", events: ["release.published"] };

beforeAll(async () => {
  admin = await aUser({ admin: true });
});
beforeEach(() => db.webhook.deleteMany());

describe("create-webhook", () => {
  it("answers the secret once, and keeps it sealed", async () => {
    const { status, body } = await send(createWebhook, admin, { ...given, format: "slack" });
    expect([status, body.format, body.appIds, body.status]).toEqual([201, "slack", null, "active"]);
    expect(body.secret).toMatch(/^whsec_/);
    const { secret } = await db.webhook.findUniqueOrThrow({ where: { id: body.id } });
    expect(Buffer.from(secret).toString("latin1")).not.toContain(body.secret.slice(6, 20));
    const { body: list } = await send(getWebhooks, admin, {});
    expect(list.items).toMatchObject([{ id: body.id, url: given.url }]);
    expect(JSON.stringify(list)).not.toContain(body.secret);
    const record = await db.auditRecord.findFirstOrThrow({ where: { recordId: body.id } });
    expect(record.changes).toMatchObject({ url: [null, "https://hooks.example"] });
  });

  it.each([
    ["a private address", { url: "https://10.0.0.1/" }, "url"],
    ["plain HTTP", { url: "http://8.8.8.8/" }, "url"],
    ["another protocol", { url: "ftp://hooks.example/" }, "url"],
    ["a password in the address", { url: "https://a:b@hooks.example/" }, "url"],
    ["an unknown event", { events: ["release.painted"] }, "events.0"],
    ["an unknown audit action", { events: ["audit.A B"] }, "events.0"],
    ["a property of every object", { events: ["constructor"] }, "events.0"],
    ["no events", { events: [] }, "events"],
    ["an unknown application", { appIds: [newId()] }, "appIds"],
    ["no applications", { appIds: [] }, "appIds"],
    ["an unknown format", { format: "irc" }, "format"],
  ])("refuses %s", async (_what, wrong, path) => {
    const { status, body } = await send(createWebhook, admin, { ...given, ...wrong });
    expect([status, body.errors?.[0]?.path]).toEqual([422, path]);
    expect(await db.webhook.count()).toBe(0);
  });
});

describe("update-webhook", () => {
  it("changes what is named, and turns a webhook that was turned off on again", async () => {
    const app = await anApp();
    const off = { status: "inactive" as const, failingSince: new Date(), disabledAt: new Date() };
    const id = await aWebhook(["user.invited"], off);
    const { body } = await send(updateWebhook, admin, {
      id,
      appIds: [app.appId],
      format: "google-chat",
      status: "active",
    });
    expect(body).toMatchObject({ appIds: [app.appId], format: "google-chat", failingSince: null, disabledAt: null });
    expect((await send(updateWebhook, admin, { id, appIds: null })).body).toMatchObject({
      appIds: null,
      events: ["user.invited"],
      format: "google-chat",
    });
  });
});

it("delete-webhook deletes the deliveries too, beside changes that cause deliveries", async () => {
  const ids = await Promise.all(Array.from({ length: 5 }, () => aWebhook(["audit.create", "audit.delete"])));
  await aDelivery(ids[0] as string);
  const answers = await Promise.all([
    ...ids.map((id) => send(deleteWebhook, admin, { id })),
    ...ids.map((_, n) => send(createWebhook, admin, { ...given, name: `Other ${n}` })),
  ]);
  expect(answers.map(({ status }) => status)).toEqual([...ids.map(() => 204), ...ids.map(() => 201)]);
  expect(await db.webhookDelivery.count({ where: { webhookId: { in: ids } } })).toBe(0);
});

describe("test-webhook", () => {
  it("sends an example at once and keeps it in the log", async () => {
    const receiver = await startReceiver();
    try {
      const id = await aWebhook(["release.deleted"], { url: receiver.url });
      const { status, body } = await send(testWebhook, admin, { id });
      expect([status, body.state, body.test]).toEqual([200, "delivered", true]);
      expect(body.attempts).toMatchObject([{ number: 1, status: 200, answer: "ok" }]);
      expect(JSON.parse(receiver.received[0]?.body ?? "").type).toBe("release.deleted");
      expect(receiver.received[0]?.headers["webhook-id"]).toBe(body.messageId);
      const { body: log } = await send(getWebhookDeliveries, admin, { webhookId: id });
      expect(log).toMatchObject({ total: 1, items: [{ id: body.id, type: "release.deleted" }] });
    } finally {
      await receiver.close();
    }
  });

  it("says why a message was not sent", async () => {
    const id = await aWebhook(["release.deleted"]);
    const { body } = await send(testWebhook, admin, { id });
    expect(body).toMatchObject({ state: "failed", attempts: [{ status: null, failure: "forbidden_address" }] });
  });
});

describe("redeliver-webhook", () => {
  it("lets a finished delivery be made again with its ID, after those that wait", async () => {
    const webhookId = await aWebhook(["release.published"]);
    const first = await aDelivery(webhookId, { state: "failed", tries: 10, finishedAt: new Date() });
    const second = await aDelivery(webhookId);
    const { status, body } = await send(redeliverWebhook, admin, { id: first });
    expect([status, body.id, body.state]).toEqual([202, first, "pending"]);
    expect((await deliveriesOf(webhookId)).map(({ id, tries }) => [id, tries])).toEqual([
      [second, 0],
      [first, 0],
    ]);
  });

  it("refuses one that waits", async () => {
    const id = await aDelivery(await aWebhook(["release.published"]));
    expect((await send(redeliverWebhook, admin, { id })).body.code).toBe("conflict");
  });
});
