import { expect, it } from "vitest";
import { db } from "@/lib/db/client";
import { EVENT_DATA } from "@/lib/kernel/events";
import { DAY_MS } from "@/lib/kernel/time";
import { anApp, aToken } from "@/lib/testing/console";
import { aWebhook, deliveriesOf } from "@/lib/testing/webhooks";
import { setUpTestDatabase } from "@/scripts/test-database";
import { emitExpiringTokens, tokenExpiryJob } from "./token-expiry";

setUpTestDatabase();

it("each API token is told once for each step that it reaches, unless it is revoked or was always that short", async () => {
  const webhookId = await aWebhook(["token.expiring"]);
  const { appId, environmentIds } = await anApp();
  const place = { appId, environmentId: environmentIds[0] as string };
  const now = new Date();
  const inDays = (days: number) => new Date(now.getTime() + days * DAY_MS);
  const aTokenOf = async (lifeDays: number, endDays: number, revoked = false) => {
    const { tokenId } = await aToken(place);
    const createdAt = inDays(endDays - lifeDays);
    const data = { createdAt, validUntil: inDays(endDays), revokedAt: revoked ? now : null };
    await db.apiToken.update({ where: { id: tokenId }, data });
    return tokenId;
  };
  const lasting = await aTokenOf(90, 6);
  const late = await aTokenOf(90, 0.9);
  await aTokenOf(90, 8);
  await aTokenOf(90, 6, true);
  await aTokenOf(5, 4);
  await aTokenOf(90, -1);
  /** Runs the job at a time. @returns what it newly told */
  const told = async (days: number) => {
    const before = (await deliveriesOf(webhookId)).length;
    await db.$transaction((tx) => emitExpiringTokens(tx, inDays(days)));
    const deliveries = (await deliveriesOf(webhookId)).slice(before);
    expect(deliveries.every(({ lane }) => lane === appId)).toBe(true);
    return deliveries
      .map(({ data }) => EVENT_DATA["token.expiring"].parse(data))
      .map(({ token, days }) => [token.id, days]);
  };
  expect(await told(0)).toEqual([
    [late, 1],
    [lasting, 7],
  ]);
  expect(await told(0.1)).toEqual([]);
  expect((await told(0.6)).filter(([id]) => id === late)).toEqual([[late, 0]]);
  expect((await told(5.2)).filter(([id]) => id === lasting)).toEqual([[lasting, 1]]);
  expect((await told(5.8)).filter(([id]) => id === lasting)).toEqual([[lasting, 0]]);
  expect((await told(5.9)).filter(([id]) => id === lasting)).toEqual([]);
});

it("the job emits the events", async () => {
  const webhookId = await aWebhook(["token.expiring"]);
  const { appId, environmentIds } = await anApp();
  const { tokenId } = await aToken({ appId, environmentId: environmentIds[0] as string });
  const [createdAt, validUntil] = [-90, 3].map((days) => new Date(Date.now() + days * DAY_MS));
  await db.apiToken.update({ where: { id: tokenId }, data: { createdAt, validUntil } });
  expect(await tokenExpiryJob.run({}, { id: "", signal: AbortSignal.timeout(10_000) })).toBe("done");
  expect(
    (await deliveriesOf(webhookId)).map(({ data }) => EVENT_DATA["token.expiring"].parse(data).token.id),
  ).toContain(tokenId);
});
