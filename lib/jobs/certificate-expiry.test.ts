import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { databasePool, db } from "@/lib/db/client";
import { newId } from "@/lib/kernel/ids";
import { anApp, aUser } from "@/lib/testing/console";
import { setUpTestDatabase } from "@/scripts/test-database";
import { certificateExpiryJob, requestExpiryMails } from "./certificate-expiry";
import { mailJob } from "./mail";
import { closeQueues, queueOf } from "./queue";

setUpTestDatabase();

const DAY_MS = 86_400_000;
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

const run = (at = now) => db.$transaction((tx) => requestExpiryMails(tx, at));

interface Request {
  userId: string;
  days: number;
  count: number;
  certificates: { name: string }[];
}

/** Returns the mails that were requested since the last call. */
async function takeMails(): Promise<Request[]> {
  const { rows } = await databasePool().query<{ data: Request }>(
    "DELETE FROM pgboss.job WHERE name = 'mail' RETURNING data",
  );
  return rows.map(({ data }) => data).sort((a, b) => b.days - a.days);
}

beforeAll(() => queueOf(mailJob));
afterAll(() => closeQueues(5_000));

beforeEach(async () => {
  await db.secureCertificate.deleteMany();
  await db.user.updateMany({ data: { status: "inactive" } });
});

describe("certificates that expire soon", () => {
  it("are told to each active administrator once at each step", async () => {
    const admins = [(await aUser({ admin: true })).userId, (await aUser({ admin: true })).userId];
    await aUser();
    await aUser({ admin: true, status: "inactive" });
    const id = await aCertificate(inDays(40));
    const steps: [number, number[]][] = [];
    for (let day = 0; day <= 41; day++) {
      await run(inDays(day));
      await run(inDays(day));
      const mails = await takeMails();
      if (mails.length > 0) steps.push([40 - day, mails.map(({ days }) => days)]);
      for (const admin of mails.length > 0 ? admins : []) expect(mails.map(({ userId }) => userId)).toContain(admin);
    }
    expect(steps).toEqual([
      [30, [30, 30]],
      [7, [7, 7]],
      [1, [1, 1]],
    ]);
    // At noon, one that expires at noon has expired; a later one has the day itself.
    await db.secureCertificate.update({ where: { id }, data: { expirationDate: new Date("2027-01-01T18:00:00Z") } });
    await takeMails();
    await run(new Date("2027-01-01T00:05:00Z"));
    expect((await takeMails()).map(({ days }) => days)).toEqual([0, 0]);
  });

  it("share the mail of their step, which names the first twenty", async () => {
    await aUser({ admin: true });
    const { environmentIds } = await anApp({ environments: Array.from({ length: 25 }, (_, i) => ({ name: `E${i}` })) });
    for (const [index, environmentId] of environmentIds.entries()) {
      await aCertificate(new Date(inDays(5).getTime() + index), { name: `C${index}`, environmentId });
    }
    await aCertificate(inDays(20), { name: "Later" });
    expect(await run()).toBe(26);
    const mails = await takeMails();
    expect(mails.map(({ days, count, certificates }) => [days, count, certificates.length])).toEqual([
      [30, 1, 1],
      [7, 25, 20],
    ]);
    expect(mails[1]?.certificates[0]?.name).toBe("C0");
  });

  it("are told again for a new date", async () => {
    await aUser({ admin: true });
    const id = await aCertificate(inDays(5));
    await run();
    await db.secureCertificate.update({ where: { id }, data: { expirationDate: inDays(6) } });
    expect(await run()).toBe(1);
    await takeMails();
  });

  it("are not told where they, their environment or their application are switched off, or have expired", async () => {
    await aUser({ admin: true });
    const off = await anApp({ status: "inactive" });
    const part = await anApp({ environments: [{ name: "Off", status: "inactive" }] });
    await aCertificate(inDays(5), { environmentId: off.environmentIds[0] });
    await aCertificate(inDays(5), { environmentId: part.environmentIds[0] });
    await aCertificate(inDays(5), { status: "inactive" });
    await aCertificate(inDays(-1));
    await aCertificate(null);
    expect(await run()).toBe(0);
  });

  it("are told by the job", async () => {
    await aUser({ admin: true });
    await aCertificate(new Date(Date.now() + 3 * DAY_MS));
    await certificateExpiryJob.run({}, { id: newId(), signal: new AbortController().signal });
    expect((await takeMails()).map(({ days }) => days)).toEqual([7]);
  });
});
