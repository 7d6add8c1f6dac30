import { beforeEach, describe, expect, it } from "vitest";
import { db } from "@/lib/db/client";
import { EVENT_DATA } from "@/lib/kernel/events";
import { newId } from "@/lib/kernel/ids";
import { DAY_MS } from "@/lib/kernel/time";
import { anApp } from "@/lib/testing/console";
import { aWebhook, deliveriesOf } from "@/lib/testing/webhooks";
import { setUpTestDatabase } from "@/scripts/test-database";
import { certificateExpiryJob, emitExpiringCertificates } from "./certificate-expiry";

setUpTestDatabase();

const now = new Date("2026-11-22T12:00:00Z");
const inDays = (days: number) => new Date(now.getTime() + days * DAY_MS);

async function aCertificate(
  expirationDate: Date | null,
  { name = "Push", status = "active" as "active" | "inactive", environmentId = "" } = {},
): Promise<string> {
  const id = newId();
  await db.secureCertificate.create({
    data: {
      id,
      environmentId: environmentId || ((await anApp()).environmentIds[0] as string),
      name,
      key: "PUSH",
      fileName: "a.pem",
      format: "pem",
      sha256: "0".repeat(64),
      value: Buffer.alloc(100),
      expirationDate,
      status,
      version: 1,
      updatedAt: now,
    },
  });
  return id;
}

let webhookId: string;

beforeEach(async () => {
  await db.secureCertificate.deleteMany();
  webhookId = await aWebhook(["certificate.expiring"]);
});

/** Runs the job at a time. @returns what it newly told */
async function told(at = now): Promise<[name: string, days: number][]> {
  const before = (await deliveriesOf(webhookId)).length;
  const count = await db.$transaction((tx) => emitExpiringCertificates(tx, at));
  const deliveries = (await deliveriesOf(webhookId)).slice(before);
  expect(deliveries).toHaveLength(count);
  return deliveries
    .map(({ data }) => EVENT_DATA["certificate.expiring"].parse(data))
    .map(({ certificate, days }) => [certificate.name, days]);
}

describe("certificates that expire soon", () => {
  it("are told once at each step", async () => {
    const id = await aCertificate(inDays(40));
    const steps: [number, number][] = [];
    for (let day = 0; day <= 41; day++) {
      for (const [, days] of [...(await told(inDays(day))), ...(await told(inDays(day)))]) steps.push([40 - day, days]);
    }
    expect(steps).toEqual([
      [30, 30],
      [7, 7],
      [1, 1],
    ]);
    // At noon, one that expires at noon has expired; a later one has the day itself.
    await db.secureCertificate.update({ where: { id }, data: { expirationDate: new Date("2027-01-01T18:00:00Z") } });
    expect(await told(new Date("2027-01-01T00:05:00Z"))).toEqual([["Push", 0]]);
  });

  it("are told again for a new date", async () => {
    const id = await aCertificate(inDays(5));
    await told();
    await db.secureCertificate.update({ where: { id }, data: { expirationDate: inDays(6) } });
    expect(await told()).toEqual([["Push", 7]]);
  });

  it("are not told where they, their environment or their application are switched off, or have expired", async () => {
    const off = await anApp({ status: "inactive" });
    const part = await anApp({ environments: [{ name: "Off", status: "inactive" }] });
    await aCertificate(inDays(5), { environmentId: off.environmentIds[0] });
    await aCertificate(inDays(5), { environmentId: part.environmentIds[0] });
    await aCertificate(inDays(5), { status: "inactive" });
    await aCertificate(inDays(-1));
    await aCertificate(null);
    expect(await told()).toEqual([]);
  });

  it("are told by the job", async () => {
    await aCertificate(new Date(Date.now() + 3 * DAY_MS));
    await certificateExpiryJob.run({}, { id: newId(), signal: new AbortController().signal });
    expect(await deliveriesOf(webhookId)).toHaveLength(1);
  });
});
