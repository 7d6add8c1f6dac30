import { Webhook as Verifier } from "standardwebhooks";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { type Db, db } from "@/lib/db/client";
import { lockRow } from "@/lib/db/locks";
import { deliverWaiting } from "@/lib/features/webhooks/data";
import { rotateWebhookSecret } from "@/lib/features/webhooks/operations/rotate-webhook-secret";
import { updateWebhook } from "@/lib/features/webhooks/operations/update-webhook";
import { makeOutbound } from "@/lib/http/outbound";
import { newId } from "@/lib/kernel/ids";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "@/lib/kernel/time";
import { aUser, send } from "@/lib/testing/console";
import { LONG_TRANSACTION, untilWaitingForLocks } from "@/lib/testing/locks";
import { type Receiver, startReceiver } from "@/lib/testing/webhook-receiver";
import { aDelivery, aWebhook, deliveriesOf, WEBHOOK_SECRET } from "@/lib/testing/webhooks";
import { setUpTestDatabase } from "@/scripts/test-database";
import { messageId } from "./attempt";
import { type DisabledWebhook, deliverDue, disableOverfull, MAX_FAILING_MS, trimDeliveries } from "./deliver";

setUpTestDatabase();

const { fetch } = makeOutbound(["127.0.0.1"]);
const EVENTS = ["release.published"];

let receiver: Receiver;
/** What the clock of the deliveries tells. */
let clock: Date;
const disabled: DisabledWebhook[] = [];

beforeAll(async () => {
  receiver = await startReceiver();
});
afterAll(() => receiver.close());
beforeEach(async () => {
  await db.webhook.deleteMany();
  clock = new Date(Date.now() + 1_000);
});
afterEach(() => {
  receiver.answer = (response) => response.end("ok");
  receiver.received.length = 0;
  disabled.length = 0;
});

const run = (options: { fetch?: typeof fetch } = {}) =>
  deliverDue({
    now: () => clock,
    fetch,
    onDisabled: async (_tx: Db, webhook) => {
      disabled.push(webhook);
    },
    ...options,
  });
const aReceiver = (facts: Parameters<typeof aWebhook>[1] = {}) => aWebhook(EVENTS, { url: receiver.url, ...facts });
const anEvent = (webhookId: string, facts: Parameters<typeof aDelivery>[1] = {}) =>
  aDelivery(webhookId, { nextAt: clock, ...facts });
const failing = (status = 500) => {
  receiver.answer = (response) => response.writeHead(status).end("not now");
};
const bodies = () => receiver.received.map(({ body }) => JSON.parse(body) as { type: string; data: { n: number } });

/** Waits `ms` of the deliveries' clock. */
function pass(ms: number): void {
  clock = new Date(clock.getTime() + ms);
}

describe("a delivery", () => {
  it("is a message that the library of Standard Webhooks verifies", async () => {
    const webhookId = await aReceiver();
    const id = await anEvent(webhookId);
    await run();
    const [message] = receiver.received;
    const { body = "", headers = {} } = message ?? {};
    expect(new Verifier(WEBHOOK_SECRET).verify(body, headers)).toMatchObject({ type: "release.published" });
    expect(() => new Verifier(WEBHOOK_SECRET).verify(`${body} `, headers)).toThrow();
    expect(Object.keys(JSON.parse(body))).toEqual(["type", "timestamp", "data"]);
    expect(headers["webhook-id"]).toBe(messageId(id));
    const [delivery] = await deliveriesOf(webhookId);
    expect(delivery).toMatchObject({ state: "delivered", finishedAt: clock });
    expect(delivery?.attempts).toMatchObject([{ number: 1, at: clock, status: 200, failure: null, answer: "ok" }]);
  });

  it("is signed with both secrets for 24 hours after a rotation, and then with the new one alone", async () => {
    const admin = await aUser({ admin: true });
    const webhookId = await aReceiver();
    const { body: rotated } = await send(rotateWebhookSecret, admin, { id: webhookId });
    const verifies = async (secret: string) => {
      await anEvent(webhookId);
      await run();
      const { body = "", headers = {} } = receiver.received.pop() ?? {};
      // The library refuses messages of another day; the clock is not the library's.
      vi.setSystemTime(Number(headers["webhook-timestamp"]) * 1_000);
      try {
        return Boolean(new Verifier(secret).verify(body, headers));
      } catch {
        return false;
      } finally {
        vi.useRealTimers();
      }
    };
    expect(rotated.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect([await verifies(WEBHOOK_SECRET), await verifies(rotated.secret)]).toEqual([true, true]);
    pass(DAY_MS + MINUTE_MS);
    expect([await verifies(WEBHOOK_SECRET), await verifies(rotated.secret)]).toEqual([false, true]);
  });

  it("is signed with each secret that was replaced within 24 hours, up to eight replacements a day", async () => {
    const admin = await aUser({ admin: true });
    const webhookId = await aReceiver();
    const rotate = () => send(rotateWebhookSecret, admin, { id: webhookId });
    const [second, third] = [(await rotate()).body.secret, (await rotate()).body.secret];
    const signers = async () => {
      await anEvent(webhookId);
      await run();
      const { body = "", headers = {} } = receiver.received.pop() ?? {};
      const at = new Date(Number(headers["webhook-timestamp"]) * 1_000);
      return [WEBHOOK_SECRET, second, third].filter((secret) =>
        headers["webhook-signature"]
          ?.split(" ")
          .includes(new Verifier(secret).sign(headers["webhook-id"] ?? "", at, body)),
      );
    };
    expect(await signers()).toEqual([WEBHOOK_SECRET, second, third]);
    pass(DAY_MS + MINUTE_MS);
    expect(await signers()).toEqual([third]);
    for (let turn = 0; turn < 6; turn++) expect((await rotate()).status).toBe(200);
    expect((await rotate()).body.code).toBe("rate_limited");
  });

  it("is tried at 5 s, 5 min, 30 min, 2, 5, 10, 14, 20 and 24 h after each failure, with the same ID, and then given up", async () => {
    failing();
    const webhookId = await aReceiver();
    await anEvent(webhookId);
    await run();
    const waits = [5_000, 5 * MINUTE_MS, 30 * MINUTE_MS, ...[2, 5, 10, 14, 20, 24].map((hours) => hours * HOUR_MS)];
    for (const [index, wait] of waits.entries()) {
      pass(wait - 1);
      await run();
      expect(receiver.received).toHaveLength(index + 1);
      pass(1);
      await run();
      expect(receiver.received).toHaveLength(index + 2);
    }
    const [delivery] = await deliveriesOf(webhookId);
    expect(delivery).toMatchObject({ state: "failed", finishedAt: clock });
    expect(delivery?.attempts.map(({ status, answer }) => [status, answer])).toEqual(
      waits.concat(0).map(() => [500, "not now"]),
    );
    expect(new Set(receiver.received.map(({ headers }) => headers["webhook-id"])).size).toBe(1);
    pass(30 * DAY_MS);
    await run();
    expect(receiver.received).toHaveLength(waits.length + 1);
  });

  it("waits for those before it of its application, and not for those of another one", async () => {
    const webhookId = await aReceiver();
    const [one, other] = [newId(), newId()];
    for (const n of [1, 2, 3]) await anEvent(webhookId, { lane: one, data: { n } });
    await anEvent(webhookId, { lane: other, data: { n: 10 } });
    receiver.answer = (response, { body }) => response.writeHead(body.includes('"n":1}') ? 503 : 200).end();
    await run();
    expect(
      bodies()
        .map(({ data }) => data.n)
        .sort((a, b) => a - b),
    ).toEqual([1, 10]);
    receiver.answer = (response) => response.end();
    pass(5_000);
    await run();
    expect(
      bodies()
        .map(({ data }) => data.n)
        .slice(2),
    ).toEqual([1, 2, 3]);
  });

  it("of a receiver that does not answer takes at most two places", async () => {
    const [slow, quick] = [await aReceiver(), await aReceiver()];
    for (let n = 0; n < 9; n++) await anEvent(slow, { lane: newId(), data: { n } });
    await anEvent(quick, { lane: newId(), data: { n: 100 } });
    const held: (() => void)[] = [];
    let most = 0;
    // The receiver answers nothing before the other webhook has got its event.
    receiver.answer = (response, { body }) => {
      if (body.includes('"n":100}')) {
        receiver.answer = (later) => later.end();
        response.end();
        for (const answer of held) answer();
      } else most = held.push(() => response.end());
    };
    await run();
    expect(most).toBeLessThanOrEqual(2);
    expect(receiver.received).toHaveLength(10);
  });

  it.each([429, 503])(
    "that is answered %i with Retry-After is tried again at that time, with those of other applications",
    async (status) => {
      const webhookId = await aReceiver();
      await anEvent(webhookId, { lane: newId(), tries: 4 });
      await anEvent(webhookId, { lane: newId() });
      receiver.answer = (response) => response.writeHead(status, { "Retry-After": "20" }).end();
      const first = clock;
      await run();
      const sent = receiver.received.length;
      expect(sent).toBeLessThanOrEqual(2);
      expect((await deliveriesOf(webhookId))[0]).toMatchObject({
        tries: 4,
        nextAt: new Date(first.getTime() + 20_000),
      });
      receiver.answer = (response) => response.end();
      pass(19_999);
      await run();
      expect((await deliveriesOf(webhookId))[0]?.state).toBe("pending");
      pass(1);
      await run();
      expect((await deliveriesOf(webhookId)).map(({ state }) => state)).toEqual(["delivered", "delivered"]);
    },
  );

  it("that Teams answers with the text of a failure is not accepted", async () => {
    receiver.answer = (response) =>
      response.end("Webhook message delivery failed with error: Microsoft Teams endpoint returned HTTP error 429");
    const webhookId = await aReceiver({ format: "teams" });
    await anEvent(webhookId);
    await run();
    expect((await deliveriesOf(webhookId))[0]).toMatchObject({ state: "pending", tries: 1 });
  });

  it("is made once by several instances that run at the same time, in order", async () => {
    const webhookId = await aReceiver();
    const lane = newId();
    for (let n = 0; n < 20; n++) await anEvent(webhookId, { lane, data: { n } });
    await Promise.all([run(), run(), run()]);
    expect(bodies().map(({ data }) => data.n)).toEqual(Array.from({ length: 20 }, (_, n) => n));
  });

  it("of an instance that was killed is made by another one when its claim has ended", async () => {
    const webhookId = await aReceiver();
    await anEvent(webhookId, { claimedUntil: new Date(clock.getTime() + 20_000) });
    await run();
    expect(receiver.received).toEqual([]);
    pass(20_000);
    await run();
    expect(receiver.received).toHaveLength(1);
  });

  it("waits while its webhook is turned off", async () => {
    const webhookId = await aReceiver({ status: "inactive" });
    await anEvent(webhookId);
    await run();
    expect(receiver.received).toEqual([]);
    await db.webhook.update({ where: { id: webhookId }, data: { status: "active" } });
    await run();
    expect(receiver.received).toHaveLength(1);
  });

  it("keeps the first 2 KB of an answer, without the characters that the database cannot hold", async () => {
    receiver.answer = (response) => response.writeHead(400).end(`\0${"ä".repeat(3_000)}`);
    const webhookId = await aReceiver();
    await anEvent(webhookId);
    await run();
    const answer = (await deliveriesOf(webhookId))[0]?.attempts[0]?.answer ?? "";
    expect(answer.startsWith("\ufffdää")).toBe(true);
    expect(answer.length).toBeLessThan(1_100);
  });

  it.each([
    [
      "redirected",
      "a redirection",
      () => (receiver.answer = (response) => response.writeHead(302, { Location: "/" }).end()),
    ],
    ["unreachable", "a connection that ends", () => (receiver.answer = (response) => response.destroy())],
    [
      "too_large",
      "an answer without an end",
      () =>
        (receiver.answer = (response) => {
          const more = () => {
            while (response.write(Buffer.alloc(65_536))) if (response.destroyed) return;
            response.once("drain", more);
          };
          more();
        }),
    ],
  ])("keeps %s as the failure of %s", async (failure, _of, arrange) => {
    arrange();
    const webhookId = await aReceiver();
    await anEvent(webhookId);
    await run();
    expect((await deliveriesOf(webhookId))[0]).toMatchObject({
      state: "pending",
      attempts: [{ status: null, failure, answer: null }],
    });
  });

  it("is not sent to a private address", async () => {
    const webhookId = await aReceiver();
    await anEvent(webhookId);
    await run({ fetch: makeOutbound([]).fetch });
    expect(receiver.received).toEqual([]);
    expect((await deliveriesOf(webhookId))[0]?.attempts).toMatchObject([{ failure: "forbidden_address" }]);
  });
});

describe("a webhook that fails", () => {
  it("is turned off after five days without one success, and keeps what waits for it", async () => {
    failing();
    const webhookId = await aReceiver();
    const since = clock;
    await anEvent(webhookId);
    await run();
    pass(MAX_FAILING_MS - 1);
    await run();
    expect(disabled).toEqual([]);
    pass(5 * MINUTE_MS);
    await run();
    expect(disabled).toEqual([
      { id: webhookId, name: "A receiver", host: new URL(receiver.url).host, failingSince: since },
    ]);
    const webhook = await db.webhook.findUniqueOrThrow({ where: { id: webhookId } });
    expect(webhook).toMatchObject({ status: "inactive", disabledAt: clock });
    expect((await deliveriesOf(webhookId)).map(({ state }) => state)).toEqual(["pending"]);
    pass(DAY_MS + MINUTE_MS);
    await run();
    expect(receiver.received).toHaveLength(3);
  });

  it.each([
    ["410", {}, 410, ""],
    [
      "404 of Discord for an unknown webhook",
      { format: "discord" },
      404,
      '{"message": "Unknown Webhook", "code": 10015}',
    ],
  ] as const)("is turned off at once by %s", async (_name, facts, status, answer) => {
    receiver.answer = (response) => response.writeHead(status).end(answer);
    const webhookId = await aReceiver(facts);
    await anEvent(webhookId);
    await run();
    expect(disabled.map(({ id }) => id)).toEqual([webhookId]);
    const webhook = await db.webhook.findUniqueOrThrow({ where: { id: webhookId } });
    expect(webhook).toMatchObject({ status: "inactive", disabledAt: clock });
  });

  it("is not turned off by another 404", async () => {
    receiver.answer = (response) => response.writeHead(404).end('{"message": "404: Not Found", "code": 0}');
    await anEvent(await aReceiver({ format: "discord" }));
    await run();
    expect(disabled).toEqual([]);
  });

  it("is not turned off where one try of those days succeeds", async () => {
    failing();
    const webhookId = await aReceiver();
    await anEvent(webhookId);
    await run();
    pass(MAX_FAILING_MS - 1);
    receiver.answer = (response) => response.end();
    await run();
    failing();
    await anEvent(webhookId);
    await run();
    pass(MINUTE_MS);
    await run();
    expect(disabled).toEqual([]);
  });
});

describe("a webhook that is turned on again", () => {
  const turnOn = async (id: string) => {
    const admin = await aUser({ admin: true });
    expect((await send(updateWebhook, admin, { id, status: "active" })).status).toBe(200);
    clock = new Date(Date.now() + 1_000);
  };

  it("gets at once what waited for it, also what failed and was due later", async () => {
    const webhookId = await aReceiver({ status: "inactive", failingSince: clock, disabledAt: clock });
    const lane = newId();
    await anEvent(webhookId, { lane, tries: 8, nextAt: new Date(clock.getTime() + DAY_MS), data: { n: 1 } });
    await anEvent(webhookId, { lane, data: { n: 2 } });
    await turnOn(webhookId);
    await run();
    expect(bodies().map(({ data }) => data.n)).toEqual([1, 2]);
  });

  it("and a delivery that fails at that moment do not wait for each other", async () => {
    failing();
    const webhookId = await aReceiver();
    await anEvent(webhookId);
    const { delivering } = await db.$transaction(async (tx) => {
      await lockRow(tx, "Webhook", webhookId);
      const delivering = run();
      await untilWaitingForLocks(1);
      await deliverWaiting(tx, webhookId, clock);
      return { delivering };
    }, LONG_TRANSACTION);
    await delivering;
    const [delivery] = await deliveriesOf(webhookId);
    expect([delivery?.tries, delivery?.attempts.length]).toEqual([1, 1]);
  });
});

describe("the log of deliveries", () => {
  it("keeps the latest 1,000 of a webhook, of 30 days, and all that wait", async () => {
    const webhookId = await aReceiver();
    const at = new Date();
    const finished = {
      webhookId,
      lane: newId(),
      type: "user.invited",
      at,
      data: {},
      nextAt: at,
      state: "delivered" as const,
    };
    await anEvent(webhookId);
    await db.webhookDelivery.createMany({
      data: Array.from({ length: 1_005 }, () => ({ ...finished, finishedAt: at })),
    });
    expect(await trimDeliveries(at)).toBe(5);
    expect(await db.webhookDelivery.count({ where: { webhookId, state: "pending" } })).toBe(1);
    // Those that wait take no place in it.
    const waiting = { ...finished, state: "pending" as const };
    await db.webhookDelivery.createMany({ data: Array.from({ length: 1_005 }, () => waiting) });
    expect(await trimDeliveries(at)).toBe(0);
    expect(await trimDeliveries(new Date(at.getTime() + 31 * DAY_MS))).toBe(1_000);
  });
});

it("a webhook is turned off once too many events wait for it, keeps them, and stays on when it is turned on again", async () => {
  const webhookId = await aReceiver();
  const oldest = new Date("2026-01-01T00:00:00Z");
  const maxWaiting = 20;
  const wait = (count: number) =>
    db.$executeRaw`
      INSERT INTO "WebhookDelivery" ("webhookId", "lane", "type", "at", "data", "nextAt")
      SELECT ${webhookId}::uuid, gen_random_uuid(), 'user.invited', ${oldest}::timestamptz, '{}', ${oldest}::timestamptz
      FROM generate_series(1, ${count}::int)`;
  const turnedOff: DisabledWebhook[] = [];
  const look = async () => {
    const onDisabled = async (_tx: unknown, webhook: DisabledWebhook) => void turnedOff.push(webhook);
    await disableOverfull({ now: () => new Date(), onDisabled }, { maxWaiting });
    const { status, disabledAt } = await db.webhook.findUniqueOrThrow({ where: { id: webhookId } });
    return { status, isDisabled: disabledAt !== null };
  };
  await wait(maxWaiting);
  expect(await look()).toEqual({ status: "active", isDisabled: false });
  await wait(1);
  expect(await look()).toEqual({ status: "inactive", isDisabled: true });
  await look();
  expect(turnedOff).toEqual([expect.objectContaining({ id: webhookId, failingSince: oldest })]);
  expect(await db.webhookDelivery.count({ where: { webhookId, state: "pending" } })).toBe(maxWaiting + 1);
  await send(updateWebhook, await aUser({ admin: true }), { id: webhookId, status: "active" });
  expect(await look()).toEqual({ status: "active", isDisabled: false });
  await wait(maxWaiting);
  expect(await look()).toEqual({ status: "active", isDisabled: false });
  await wait(1);
  expect(await look()).toEqual({ status: "inactive", isDisabled: true });
});
