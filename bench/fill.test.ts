import { NIL as EVERYBODY } from "uuid";
import { expect, it } from "vitest";
import { verifyAudit } from "@/lib/audit/verify";
import { databasePool, db } from "@/lib/db/client";
import { readConfiguration } from "@/lib/features/client/data";
import { currentVersion, withConfigurationChange } from "@/lib/features/configuration/data/changes";
import { planRestore, readDifferences } from "@/lib/features/configuration/data/differences";
import { ENTRY_KINDS } from "@/lib/features/configuration/schema";
import { env } from "@/lib/kernel/env";
import type { Actor } from "@/lib/permissions/actor";
import { anApp, aUser } from "@/lib/testing/console";
import { aRelease } from "@/lib/testing/releases";
import { setUpTestDatabase } from "@/scripts/test-database";
import { fill } from "./fill";

const anonymous: Actor = { kind: "anonymous", expired: false };

setUpTestDatabase();

/** Returns the indexes and triggers of the tables. */
async function indexesAndTriggers(): Promise<unknown[]> {
  const { rows } = await databasePool().query(
    `SELECT indexdef AS "what" FROM pg_indexes WHERE schemaname = 'public'
     UNION ALL SELECT tgname::text || tgenabled::text FROM pg_trigger WHERE NOT tgisinternal ORDER BY 1`,
  );
  return rows;
}

it("adds rows that the console can use and audit records that continue the chain, and restores indexes and triggers", async () => {
  const admin = await aUser({ admin: true });
  const app = await anApp({ environments: [{ name: "QA" }, { name: "Staging" }] });
  const environmentId = app.environmentIds[0] as string;
  const { id } = await aRelease(admin, { identifier: app.identifier, environmentId });
  const before = await indexesAndTriggers();
  const records = await db.auditRecord.count();
  await fill(
    env.DATABASE_URL,
    { releases: 1_200, downloads: 5_000, users: 300, auditRecords: 2_500 },
    { releaseId: id },
  );
  const sums = await Promise.all(
    [
      { day: null, os: null },
      { day: { not: null }, os: null, device: null },
      { day: { not: null }, os: { not: null }, device: null },
      { day: { not: null }, os: null, device: { not: null } },
    ].map((where) => db.installCount.aggregate({ where: { releaseId: id, ...where }, _sum: { opened: true } })),
  );
  expect(sums.map(({ _sum }) => _sum.opened)).toEqual([1_250n, 1_250n, 1_250n, 1_250n]);
  await fill(env.DATABASE_URL, { users: 10, auditRecords: 10 });
  expect(await indexesAndTriggers()).toEqual(before);

  await aRelease(admin, { identifier: app.identifier, environmentId }, { version: "2.0" });
  const { records: read, faults } = await verifyAudit(databasePool());
  expect(faults).toEqual([]);
  expect(read).toBeGreaterThan(records + 2_510);
  const counts = await db.auditCount.aggregate({ _sum: { count: true }, where: { userId: EVERYBODY } });
  expect(Number(counts._sum.count)).toBe(read);

  expect(await db.user.count()).toBe(311);
  expect(await db.release.count()).toBe(1_202);
  const copy = await db.release.findFirstOrThrow({ where: { buildNumber: "777" } });
  const original = await db.release.findUniqueOrThrow({ where: { id } });
  expect([copy.installer, copy.fileId, copy.minOs]).toEqual([original.installer, original.fileId, original.minOs]);
  const { _sum } = await db.releaseCount.aggregate({ _sum: { change: true } });
  expect(Number(_sum.change)).toBe(1_202);
  expect(await db.releaseDownload.count()).toBe(5_000);
  expect((await db.release.aggregate({ _sum: { downloadCount: true } }))._sum.downloadCount).toBe(5_000);
  const activity = await db.dailyActivity.aggregate({
    _sum: { change: true },
    where: { environmentId: EVERYBODY, kind: { in: ["install", "download"] } },
  });
  expect(Number(activity._sum.change)).toBe(5_000);
});

it("adds a configuration whose versions the console compares and restores, and whose secrets it opens", async () => {
  const before = await indexesAndTriggers();
  const environmentId = (await anApp()).environmentIds[0] as string;
  const size = { developmentVariables: 60, secureVariables: 50, certificates: 10, configurationVersions: 1_200 };
  await fill(env.DATABASE_URL, size, { environmentId });
  expect(await indexesAndTriggers()).toEqual(before);

  expect(await currentVersion(db, environmentId)).toBe(1_200);
  expect(await db.configurationVersion.count({ where: { environmentId } })).toBe(1_200);
  const kinds = [...ENTRY_KINDS];
  const now = await readConfiguration(db, environmentId, { kinds, secrets: kinds });
  const then = await readConfiguration(db, environmentId, { kinds, secrets: kinds, version: 1_200 });
  const contentOf = ({ ofKind }: typeof now) =>
    kinds.flatMap((kind) =>
      ofKind(kind).map(({ key, name, plain, secret }) => [kind, key, name, plain ?? secret?.value.toString()]),
    );
  expect(contentOf(now)).toEqual(contentOf(then));
  expect(contentOf(now)).toHaveLength(54 + 45 + 9);
  const { differences } = await readDifferences(db, { environmentId, from: 1, to: 1_200, kinds });
  expect(differences.length).toBeGreaterThan(60);

  const restored = await db.$transaction((tx) =>
    withConfigurationChange(tx, { environmentId, actor: anonymous, now: new Date() }, () =>
      planRestore(tx, { environmentId, version: 600, kinds }),
    ),
  );
  expect(restored.version).toBe(1_201);
  const again = await readConfiguration(db, environmentId, { kinds, secrets: kinds });
  const original = await readConfiguration(db, environmentId, { kinds, secrets: kinds, version: 600 });
  expect(contentOf(again)).toEqual(contentOf(original));
  await expect(fill(env.DATABASE_URL, size, { environmentId })).rejects.toThrow("configuration already");
  await fill(env.DATABASE_URL, size, { environmentId: (await anApp()).environmentIds[0] });
}, 60_000);
