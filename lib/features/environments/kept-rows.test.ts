import { beforeAll, expect, it } from "vitest";
import { beginUpload, KEPT_UPLOADS } from "@/lib/compat/appcenter/data";
import { db } from "@/lib/db/client";
import { KEPT_DIFFS, keepDiff } from "@/lib/features/releases/data/diffs";
import { FORGET_EVERY, KEPT_OF_OTHERS, KEPT_OF_USER, recordDownloads } from "@/lib/features/releases/data/downloads";
import { addTesterGroupMembers } from "@/lib/features/testers/operations/add-tester-group-members";
import { deleteTesterGroup } from "@/lib/features/testers/operations/delete-tester-group";
import { distributeRelease } from "@/lib/features/testers/operations/distribute-release";
import { removeTesterGroupMember } from "@/lib/features/testers/operations/remove-tester-group-member";
import { KEPT_DISTRIBUTIONS } from "@/lib/testers/distributions";
import { anApp, aToken, aUser, send, type TestUser } from "@/lib/testing/console";
import { aRelease } from "@/lib/testing/releases";
import { aTesterGroup, membersOf } from "@/lib/testing/tester-groups";
import { setUpTestDatabase } from "@/scripts/test-database";

// What calls add without a limit of its own, and of which only the latest is kept.

setUpTestDatabase();

let admin: TestUser;
let app: Awaited<ReturnType<typeof anApp>>;
let environmentId: string;
let releaseId: string;

beforeAll(async () => {
  admin = await aUser({ admin: true });
  app = await anApp();
  environmentId = app.environmentIds[0] as string;
  releaseId = (await aRelease(admin, { identifier: app.identifier, environmentId })).id;
});

it("the differences of a release to the releases that it was last compared with are kept", async () => {
  const others = await db.$queryRaw<{ id: string }[]>`
    INSERT INTO "Release" SELECT (jsonb_populate_record(r, jsonb_build_object('id', gen_random_uuid()))).*
    FROM "Release" r CROSS JOIN generate_series(1, ${KEPT_DIFFS + 2}::int) WHERE r."id" = ${releaseId}::uuid RETURNING "id"`;
  // Differences that are kept in the same millisecond are ordered by these IDs.
  others.sort((a, b) => (a.id < b.id ? -1 : 1));
  for (const { id } of others) await keepDiff(db, id, releaseId, { kind: "ipa" } as never);
  const kept = await db.releaseDiff.findMany({ where: { toId: releaseId } });
  const latest = others.slice(2).map(({ id }) => id);
  expect(kept.map(({ fromId }) => fromId).sort()).toEqual(latest.sort());
});

it("the last finished distributions of a release are kept, and all that wait", async () => {
  const { id: groupId } = await aTesterGroup(admin, { appId: app.appId });
  await db.$executeRaw`
    INSERT INTO "ReleaseDistribution" ("id", "releaseId", "groupIds", "notify", "state", "createdAt")
    SELECT gen_random_uuid(), ${releaseId}::uuid, '{}', true, (CASE WHEN n = 1 THEN 'pending' ELSE 'done' END)::"DistributionState",
      now() - n * interval '1 day' FROM generate_series(1, ${KEPT_DISTRIBUTIONS + 3}::int) n`;
  expect(await send(distributeRelease, admin, { releaseId, groupIds: [groupId] })).toMatchObject({ status: 202 });
  const count = (state: "done" | "pending") => db.releaseDistribution.count({ where: { releaseId, state } });
  expect([await count("done"), await count("pending")]).toEqual([KEPT_DISTRIBUTIONS, 2]);
});

it("the last downloads of a release are kept of each user and of all others", async () => {
  const { userId } = await aUser();
  const seen = await aUser();
  const at = (second: number) => new Date(Date.UTC(2026, 0, 1) + second * 1000);
  const download = (second: number, user: string | null) => {
    return {
      releaseId,
      userId: user,
      byLink: user === null,
      userAgent: null,
      kind: "download" as const,
      at: at(second),
    };
  };
  await recordDownloads(db, [download(0, seen.userId)]);
  await recordDownloads(
    db,
    Array.from({ length: KEPT_OF_OTHERS + 2 * FORGET_EVERY }, (_, second) =>
      download(second, second % 10 ? null : userId),
    ),
  );
  const of = async (who: string | null) => {
    const { _count, _max } = await db.releaseDownload.aggregate({
      where: { releaseId, userId: who },
      _count: true,
      _max: { at: true },
    });
    return [_count, _max.at?.getTime()];
  };
  const last = KEPT_OF_OTHERS + 2 * FORGET_EVERY - 1;
  expect(await of(null)).toEqual([KEPT_OF_OTHERS, at(last).getTime()]);
  expect(await of(userId)).toEqual([KEPT_OF_USER, at(last - 9).getTime()]);
  expect(await of(seen.userId)).toEqual([1, at(0).getTime()]);
  const { downloadCount } = await db.release.findUniqueOrThrow({ where: { id: releaseId } });
  expect(downloadCount).toBe(KEPT_OF_OTHERS + 2 * FORGET_EVERY + 1);
});

it("the last uploads of App Center's client are known, of each token", async () => {
  const [one, other] = [
    await aToken({ appId: app.appId, environmentId }),
    await aToken({ appId: app.appId, environmentId }),
  ];
  const now = new Date();
  await beginUpload({ tokenId: other.tokenId, now });
  await db.$executeRaw`
    INSERT INTO "AppCenterUpload" ("id", "tokenId", "secretHash", "releaseId", "createdAt")
    SELECT gen_random_uuid(), ${one.tokenId}::uuid, '', ${releaseId}::uuid, now() FROM generate_series(1, ${KEPT_UPLOADS}::int)`;
  const { id } = await beginUpload({ tokenId: one.tokenId, now });
  expect(await db.appCenterUpload.count({ where: { tokenId: one.tokenId } })).toBe(KEPT_UPLOADS);
  expect(await db.appCenterUpload.count({ where: { id } })).toBe(1);
  expect(await db.appCenterUpload.count({ where: { tokenId: other.tokenId } })).toBe(1);
});

it("people without an account are forgotten with their last group, unless they were written to", async () => {
  const emails = ["one", "two", "asked", "elsewhere", "off"].map((name) => `${name}@forgotten.test`);
  const group = await aTesterGroup(admin, { appId: app.appId, emails });
  const elsewhere = await aTesterGroup(admin, { appId: app.appId, emails: ["elsewhere@forgotten.test"] });
  const change = (email: string, data: object) => db.tester.updateMany({ where: { email }, data });
  await change("asked@forgotten.test", { askedAt: new Date() });
  await change("off@forgotten.test", { mail: false });
  const known = async () => {
    const rows = await db.tester.findMany({
      where: { email: { endsWith: "@forgotten.test" } },
      orderBy: { email: "asc" },
    });
    return rows.map(({ email }) => email?.split("@")[0]);
  };
  const one = (await membersOf(admin, group.id)).find(({ email }) => email === "one@forgotten.test");
  await send(removeTesterGroupMember, admin, { groupId: group.id, memberId: one?.id });
  expect(await known()).toEqual(["asked", "elsewhere", "off", "two"]);
  expect(await send(deleteTesterGroup, admin, { id: group.id })).toMatchObject({ status: 204 });
  expect(await known()).toEqual(["asked", "elsewhere", "off"]);
  expect(await membersOf(admin, elsewhere.id)).toHaveLength(1);
  const again = await send(addTesterGroupMembers, admin, { groupId: elsewhere.id, emails: ["two@forgotten.test"] });
  expect(again.body).toEqual({ added: 1, already: 0 });
});
