import { beforeAll, describe, expect, it, vi } from "vitest";
import { databasePool, db } from "@/lib/db/client";
import { newId } from "@/lib/kernel/ids";
import { anApp, aUser, send, type TestUser } from "@/lib/testing/console";
import { LONG_TRANSACTION, untilWaitingForLocks } from "@/lib/testing/locks";
import { aRelease } from "@/lib/testing/releases";
import { setUpTestDatabase } from "@/scripts/test-database";
import { recordDownloads } from "./data/downloads";
import { createRelease, findReleaseOfBytes, releaseTarget } from "./data/releases";
import { deleteTestingDeploy } from "./operations/delete-testing-deploy";

setUpTestDatabase();

let admin: TestUser;
let place: { identifier: string; environmentId: string };

beforeAll(async () => {
  admin = await aUser({ admin: true });
  const app = await anApp();
  place = { identifier: app.identifier, environmentId: app.environmentIds[0] as string };
});

const download = (releaseId: string) =>
  recordDownloads(db, [{ releaseId, userId: null, byLink: true, userAgent: "curl", kind: "install", at: new Date() }]);

describe("a download", () => {
  it("is counted with its release", async () => {
    const { id } = await aRelease(admin, place);
    await Promise.all([download(id), download(id)]);
    expect(await db.releaseDownload.findMany({ where: { releaseId: id } })).toMatchObject([
      { userId: null, byLink: true, userAgent: "curl", kind: "install" },
      { byLink: true },
    ]);
    expect(await db.release.findUniqueOrThrow({ where: { id } })).toMatchObject({ downloadCount: 2 });
  });

  it("does not fail if the release is deleted at the same moment", async () => {
    const { id } = await aRelease(admin, place);
    const [counted, deleted] = await db.$transaction(async (tx) => {
      await tx.$queryRaw`SELECT 1 FROM "Release" WHERE "id" = ${id}::uuid FOR UPDATE`;
      const counting = download(id);
      await untilWaitingForLocks(1);
      const deleting = send(deleteTestingDeploy, admin, { id });
      await untilWaitingForLocks(2);
      return [counting, deleting] as const;
    }, LONG_TRANSACTION);
    await counted;
    expect((await deleted).status).toBe(204);
    await download(id);
    expect(await db.releaseDownload.count({ where: { releaseId: id } })).toBe(0);
  });
});

it("a release is not created in an environment that was deleted after it was loaded", async () => {
  const { id } = await aRelease(admin, place);
  const { updatedAt, ...row } = await db.release.findUniqueOrThrow({ where: { id } });
  const { installer, metadata } = row as { installer: object; metadata: object };
  const lost = createRelease(db, { ...row, installer, metadata, warnings: [], id: newId(), environmentId: newId() });
  await expect(lost).rejects.toMatchObject({ code: "not_found" });
  expect(updatedAt).toBeInstanceOf(Date);
});

it("a release is loaded by one statement, so a release that is deleted at that moment is complete or missing", async () => {
  const { id, sha256 } = await aRelease(admin, place);
  const query = vi.spyOn(databasePool(), "query");
  const target = await releaseTarget(db, id);
  expect(target?.release).toMatchObject({ id, environment: { id: place.environmentId }, file: { sha256 } });
  expect(query).toHaveBeenCalledTimes(1);
  expect(await findReleaseOfBytes(db, place.environmentId, sha256)).toEqual(target?.release);
  expect(query).toHaveBeenCalledTimes(2);
  query.mockRestore();
});
