import { beforeAll, expect, it } from "vitest";
import { db } from "@/lib/db/client";
import { makeOutbound } from "@/lib/http/outbound";
import { anApp, aUser, type TestUser } from "@/lib/testing/console";
import { aRelease } from "@/lib/testing/releases";
import { type Receiver, startReceiver } from "@/lib/testing/webhook-receiver";
import { aWebhook } from "@/lib/testing/webhooks";
import { setUpTestDatabase } from "@/scripts/test-database";
import { deliverDue } from "./deliver";

setUpTestDatabase();

const RELEASES = 100;
/** Who publish at the same time. */
const PUBLISHERS = 5;

let admin: TestUser;
beforeAll(async () => {
  admin = await aUser({ admin: true });
});

/** Delivers until everything is delivered. Two instances do so at the same time. */
async function deliverWhile(work: Promise<unknown>): Promise<void> {
  let isDone = false;
  void work.finally(() => {
    isDone = true;
  });
  const { fetch } = makeOutbound(["127.0.0.1"]);
  const run = { now: () => new Date(), fetch, onDisabled: async () => {} };
  const instance = async () => {
    for (;;) {
      const wasDone = isDone;
      await deliverDue(run);
      if (wasDone) return;
    }
  };
  await Promise.all([instance(), instance(), work]);
}

it("webhooks receive 100 releases that are published within minutes by several people in the order of the audit log", async () => {
  const { identifier, environmentIds } = await anApp();
  const place = { identifier, environmentId: environmentIds[0] as string };
  const receiver: Receiver = await startReceiver();
  try {
    await aWebhook(["release.published", "audit.create"], { url: receiver.url });
    const publisher = async () => {
      for (let count = 0; count < RELEASES / PUBLISHERS; count += 1) await aRelease(admin, place);
    };
    await deliverWhile(Promise.all(Array.from({ length: PUBLISHERS }, publisher)));
    const events = receiver.received.map(({ body }) => JSON.parse(body));
    const records = events.filter(({ type }) => type === "audit.create").map(({ data }) => data);
    const written = await db.auditRecord.findMany({
      where: { table: "Release", action: "create" },
      orderBy: { id: "asc" },
      select: { recordId: true },
    });
    expect(records.map(({ recordId }) => recordId)).toEqual(written.map(({ recordId }) => recordId));
    expect(records).toHaveLength(RELEASES);
    // Each release is told of before its record.
    const published = events.filter(({ type }) => type === "release.published").map(({ data }) => data.release.id);
    expect(published).toEqual(records.map(({ recordId }) => recordId));
    expect(new Set(receiver.received.map(({ headers }) => headers["webhook-id"])).size).toBe(2 * RELEASES);
  } finally {
    await receiver.close();
  }
}, 300_000);
