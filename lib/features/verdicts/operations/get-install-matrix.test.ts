import { processorTimeMs } from "@slipway/installers/testing";
import { beforeAll, expect, it } from "vitest";
import { db } from "@/lib/db/client";
import { newId } from "@/lib/kernel/ids";
import { anApp, aUser, send, type TestUser } from "@/lib/testing/console";
import { aDevice, newUdid } from "@/lib/testing/devices";
import { aRelease } from "@/lib/testing/releases";
import { flushVisits, recordStep } from "@/lib/visits/record";
import { userVisitor } from "@/lib/visits/visitor";
import { setUpTestDatabase } from "@/scripts/test-database";
import { getInstallMatrix } from "./get-install-matrix";

// Without HTTPS, no iPhone installs anything.
process.env.APP_URL = "https://slipway.example.com";
setUpTestDatabase();

const LISTED = newUdid();
/** As the issue of a large team has it. */
const MANY_DEVICES = 10_000;

let admin: TestUser;
let place: { identifier: string; environmentId: string };
let releaseId: string;

beforeAll(async () => {
  admin = await aUser({ admin: true });
  const app = await anApp();
  place = { identifier: app.identifier, environmentId: app.environmentIds[0] as string };
  ({ id: releaseId } = await aRelease(admin, place, { profile: { deviceIdentifiers: [LISTED] }, minOs: "16.0" }));
});

const matrix = async () => (await send(getInstallMatrix, admin, { id: releaseId })).body;
const downloaded = (userId: string) =>
  db.releaseDownload.create({ data: { id: newId(), releaseId, userId, byLink: false, kind: "download" } });
/** The installer of an iPhone, which has no session. */
function installed(userId: string): Promise<void> {
  recordStep({ releaseId, visitor: userVisitor(userId), at: new Date(), step: "begun", hasManifest: true });
  return flushVisits();
}

it("judges the devices of people who downloaded here, and of nobody else", async () => {
  const [tester, stranger] = [await aUser(), await aUser()];
  await installed(tester.userId);
  await aDevice({ userId: tester.userId, udid: LISTED, osVersion: "18.1" });
  await aDevice({ userId: tester.userId, osVersion: "17.0" });
  await aDevice({ userId: tester.userId, os: "android", osVersion: "34", model: null, udid: null });
  await aDevice({ userId: stranger.userId });
  await db.releaseOpening.createMany({
    data: [
      { releaseId, device: "ipados", osVersion: "15.1", firstOpenedAt: new Date(), lastOpenedAt: new Date() },
      { releaseId, device: "desktop", osVersion: null, firstOpenedAt: new Date(), lastOpenedAt: new Date() },
    ],
  });
  const { items, total, verdicts } = await matrix();
  expect(total).toBe(2);
  expect(verdicts).toEqual({ installs: 0, installs_after_steps: 1, does_not_install: 1, unknown: 0 });
  expect(items).toEqual([
    {
      device: { os: "ios", osVersion: "18.1", model: "iPhone15,2", registered: true },
      // The authority of the console is its own here.
      verdict: "installs_after_steps",
      codes: [],
      devices: 1,
      people: 1,
    },
    {
      device: { os: "ios", osVersion: "17.0", model: "iPhone15,2", registered: false },
      verdict: "does_not_install",
      codes: ["device_not_registered"],
      devices: 1,
      people: 1,
    },
    {
      device: { os: "ipados", osVersion: "15.1", model: null, registered: null },
      verdict: "does_not_install",
      codes: ["system_too_old", "device_not_enrolled"],
      devices: 0,
      people: 0,
    },
  ]);
});

it("contains no identifier of a device", async () => {
  expect(JSON.stringify(await matrix()).toLowerCase()).not.toContain(LISTED.toLowerCase());
});

it(`takes at most 50 ms of the processor for ${MANY_DEVICES} devices`, async () => {
  const { total: before } = await matrix();
  const { userId } = await aUser();
  await downloaded(userId);
  await db.$executeRaw`
    INSERT INTO "Device" ("id", "userId", "name", "os", "osVersion", "model", "udid", "udidHash", "createdAt", "updatedAt")
    SELECT gen_random_uuid(), ${userId}::uuid, 'd' || n, 'ios', (15 + n % 4) || '.' || (n % 7), 'iPhone' || (10 + n % 8) || ',' || (1 + n % 5),
      '\\x00'::bytea, sha256(n::text::bytea), now(), now()
    FROM generate_series(1, ${MANY_DEVICES}::int) n`;
  // A profile lists at most 100 devices of each of Apple's kinds.
  await db.$executeRaw`
    UPDATE "InstallerFacts" SET "deviceHashes" = (SELECT array_agg(sha256(n::text::bytea)) FROM generate_series(1, 600) n)`;
  await db.$executeRaw`ANALYZE "Device"`;
  await matrix();
  const times: number[] = [];
  for (let index = 0; index < 20; index += 1) {
    const start = processorTimeMs();
    const { total } = await matrix();
    times.push(processorTimeMs() - start);
    expect(total).toBe(before + MANY_DEVICES);
  }
  // The fastest: the collection of garbage belongs to no call.
  expect(Math.min(...times)).toBeLessThanOrEqual(50);
});
