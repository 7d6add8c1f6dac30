import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { db } from "@/lib/db/client";
import { newId } from "@/lib/kernel/ids";
import { ANONYMOUS, anApp, aToken, aUser, auditCount, send, type TestUser } from "@/lib/testing/console";
import { aRelease } from "@/lib/testing/releases";
import { setUpTestDatabase } from "@/scripts/test-database";
import { OPENING_INTERVAL_MS, recordOpening } from "../data/openings";
import { deleteTestingDeploy } from "./delete-testing-deploy";
import { getTestingDeployById } from "./get-testing-deploy-by-id";
import { getTestingDeployOpenings } from "./get-testing-deploy-openings";
import { recordTestingDeployOpening } from "./record-testing-deploy-opening";

setUpTestDatabase();

let admin: TestUser;
let tester: TestUser;
let app: Awaited<ReturnType<typeof anApp>>;
let environmentId: string;
let id: string;

beforeAll(async () => {
  admin = await aUser({ admin: true });
  app = await anApp();
  environmentId = app.environmentIds[0] as string;
  tester = await aReader(["release:read"]);
});

/** A user with scopes in the environment. */
function aReader(scopes: ("release:read" | "release:create")[]): Promise<TestUser> {
  return aUser({ grants: [{ scopes, apps: [{ appId: app.appId, environmentIds: [environmentId] }] }] });
}

beforeEach(async () => {
  id = (await aRelease(admin, { identifier: app.identifier, environmentId })).id;
});

const opened = (caller: Parameters<typeof send>[1], device: string, osVersion?: string | null) =>
  send(recordTestingDeployOpening, caller, { id, device, osVersion });
const openings = async () => (await send(getTestingDeployOpenings, admin, { id })).body.items;
const start = Date.UTC(2026, 0, 1);
const instant = (ms: number) => new Date(start + ms);
const openAt = (ms: number, osVersion: string | null = null) =>
  recordOpening(db, { releaseId: id, device: "ios", osVersion, at: instant(ms) });

describe("an opening of a release", () => {
  it("is kept with the kind of device, its system and the time, and not with the person", async () => {
    expect((await opened(tester, "ios", "18.1")).body).toEqual({ recorded: true });
    expect((await opened(tester, "desktop")).body).toEqual({ recorded: true });
    const items = await openings();
    expect(items).toMatchObject([
      { device: "desktop", osVersion: null },
      { device: "ios", osVersion: "18.1" },
    ]);
    expect(JSON.stringify(items)).not.toContain(tester.userId);
    expect(Object.keys(await db.releaseOpening.findFirstOrThrow({ where: { releaseId: id } })).toSorted()).toEqual(
      ["device", "firstOpenedAt", "lastOpenedAt", "osVersion", "releaseId"].toSorted(),
    );
    expect((await send(getTestingDeployById, tester, { id })).body.openings).toEqual(
      items.map(({ byPublisher: _, ...item }: { byPublisher: boolean }) => item),
    );
  });

  it("leaves no audit record, because it changes nothing of the release", async () => {
    const before = await auditCount();
    await opened(tester, "android", "35");
    expect(await auditCount()).toBe(before);
  });

  it("adds no row after the first one of a kind of device, and keeps the times of the first and the last", async () => {
    for (const [ms, version] of [
      [0, "18.0"],
      [OPENING_INTERVAL_MS, "18.1"],
      [3 * OPENING_INTERVAL_MS, null],
    ] as const) {
      expect(await openAt(ms, version)).toBe(true);
    }
    expect(await openings()).toEqual([
      {
        device: "ios",
        osVersion: null,
        firstOpenedAt: instant(0).toISOString(),
        lastOpenedAt: instant(3 * OPENING_INTERVAL_MS).toISOString(),
        byPublisher: false,
      },
    ]);
  });

  it("neither writes nor locks just after another one, so that many can open a release at the same time", async () => {
    await openAt(0);
    const version = () =>
      db.$queryRaw`SELECT ctid::text, xmin::text, xmax::text FROM "ReleaseOpening" WHERE "releaseId" = ${id}::uuid`;
    const before = await version();
    for (const ms of [0, 1, OPENING_INTERVAL_MS - 1, -OPENING_INTERVAL_MS])
      expect(await openAt(ms), String(ms)).toBe(false);
    expect(await version()).toEqual(before);
    expect(await openAt(OPENING_INTERVAL_MS)).toBe(true);
  });

  it("is recorded once if several arrive at the same moment", async () => {
    await Promise.all(Array.from({ length: 8 }, () => openAt(0)));
    expect(await openings()).toHaveLength(1);
  });

  it("does not count for an API token", async () => {
    const token = await aToken({ appId: app.appId, environmentId, scopes: ["release:read"] });
    expect((await opened(token, "ios")).body).toEqual({ recorded: false });
    expect(await openings()).toEqual([]);
  });

  it("does not count for people who can publish there, administrators included, and tells them that the link works", async () => {
    expect((await opened(admin, "ios", "18.1")).body).toEqual({ recorded: true });
    expect((await opened(await aReader(["release:create"]), "ios", "17.0")).body).toEqual({ recorded: false });
    const items = await openings();
    expect(items).toMatchObject([{ device: "ios", osVersion: "18.1", byPublisher: true }]);
    expect(JSON.stringify(items)).not.toContain(admin.userId);
    expect((await send(getTestingDeployById, tester, { id })).body.openings).toEqual([]);
    await opened(tester, "ios", "18.2");
    expect((await openings()).map(({ byPublisher }: { byPublisher: boolean }) => byPublisher)).toEqual([false, true]);
  });

  it("takes only what a browser can tell", async () => {
    for (const [device, osVersion] of [
      ["toaster", null],
      ["ios", "eighteen"],
      ["ios", "1".repeat(16)],
    ] as const) {
      expect((await opened(admin, device, osVersion)).status).toBe(422);
    }
  });

  it("is read and recorded by those who see the release, and by nobody else", async () => {
    const stranger = await aUser();
    for (const operation of [getTestingDeployOpenings, recordTestingDeployOpening]) {
      const input = operation === recordTestingDeployOpening ? { id, device: "ios" } : { id };
      expect((await send(operation, stranger, input)).status).toBe(404);
      expect((await send(operation, ANONYMOUS, input)).status).toBe(401);
      expect((await send(operation, admin, { ...input, id: newId() })).status).toBe(404);
    }
  });

  it("goes with its release", async () => {
    await opened(tester, "ios");
    await send(deleteTestingDeploy, admin, { id });
    expect(await db.releaseOpening.count({ where: { releaseId: id } })).toBe(0);
    expect(await openAt(0)).toBe(false);
  });
});
