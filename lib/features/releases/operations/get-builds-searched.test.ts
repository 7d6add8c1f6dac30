import { beforeAll, describe, expect, it } from "vitest";
import { databasePool, db } from "@/lib/db/client";
import { newId } from "@/lib/kernel/ids";
import { anApp, aUser, send, type TestUser } from "@/lib/testing/console";
import { readPages } from "@/lib/testing/lists";
import { aRelease } from "@/lib/testing/releases";
import { setUpTestDatabase } from "@/scripts/test-database";
import { getBuilds } from "./get-builds";

setUpTestDatabase();

const ANDROID = "019a0000-0000-7000-8000-000000000012";
const IOS = "019a0000-0000-7000-8000-000000000011";
/** A search counts no more. */
const COUNTED = 500;

/** A release as the naive search reads it. */
interface File {
  id: string;
  environmentId: string;
  platformId: string;
  version: string;
  buildNumber: string;
  description: string;
  /** Milliseconds. */
  at: number;
}

let admin: TestUser;
let appId: string;
let environmentIds: string[];
let files: File[];

/** Builds of a version with one, two, three or nine files. Each has "tablets" in a file, some have "phones" or a word of their own. */
function filesOf(environmentId: string, count: number): File[] {
  const start = Date.UTC(2026, 0, 1);
  return Array.from({ length: count }, (_, n) => {
    const version = n % 10 === 0 ? "2.0" : "1.0";
    const size = n % 50 === 0 ? 9 : (n % 3) + 1;
    return Array.from({ length: size }, (_, file) => ({
      id: newId(),
      environmentId,
      platformId: file % 2 === 0 ? IOS : ANDROID,
      version,
      buildNumber: String(n),
      description: `${file === 0 ? "For tablets" : "For all"}${n % 4 === 0 && file === 1 ? " and phones" : ""}, word${n}.`,
      at: start + n * 60_000 + file * 1_000,
    }));
  }).flat();
}

beforeAll(async () => {
  admin = await aUser({ admin: true });
  const app = await anApp({ environments: [{ name: "QA" }, { name: "Staging" }] });
  ({ appId, environmentIds } = app);
  const [one, other] = environmentIds as [string, string];
  const model = await aRelease(admin, { identifier: app.identifier, environmentId: one });
  files = [...filesOf(one, 700), ...filesOf(other, 40)];
  await databasePool().query(
    `INSERT INTO "Release" ("id", "environmentId", "platformId", "fileId", "version", "buildNumber", "identifier", "displayName",
       "description", "iosEnabled", "installer", "metadata", "deployDate", "updatedAt")
     SELECT f."id", f."environmentId", f."platformId", r."fileId", f."version", f."buildNumber", r."identifier", 'App',
       f."description", true, r."installer", '{}', to_timestamp(f."at" / 1000.0), now()
     FROM jsonb_to_recordset($1) AS f ("id" uuid, "environmentId" uuid, "platformId" uuid, "version" text, "buildNumber" text,
       "description" text, "at" bigint), "Release" r WHERE r."id" = $2`,
    [JSON.stringify(files), model.id],
  );
  await db.release.delete({ where: { id: model.id } });
  await databasePool().query('VACUUM (ANALYZE) "Release", "Build"');
});

type Input = Record<string, string>;

/** The builds that a naive search finds, the last published first, as their environment and number. */
function expected({ environmentId, platformId, version, search = "", to }: Input): string[] {
  const builds = Map.groupBy(files, (file) => `${file.environmentId} ${file.buildNumber}`);
  const last = (build: File[]) => Math.max(...build.map(({ at }) => at));
  return [...builds]
    .filter(
      ([, build]) =>
        (environmentId === undefined || build[0]?.environmentId === environmentId) &&
        (version === undefined || build[0]?.version === version) &&
        (platformId === undefined || build.some((file) => file.platformId === platformId)) &&
        (to === undefined || last(build) <= Date.parse(to)) &&
        build.some((file) => file.description.toLowerCase().includes(search.toLowerCase())),
    )
    .toSorted(([, a], [, b]) => last(b) - last(a))
    .map(([key]) => key);
}

describe("a search of builds", () => {
  it.each<[string, Input]>([
    ["a word that all have", { search: "tablets" }],
    ["a word that all have, of a platform", { search: "tablets", platformId: IOS }],
    ["a word that all have, of the platform of another file", { search: "tablets", platformId: ANDROID }],
    ["a word that all have, of a version", { search: "tablets", version: "2.0" }],
    ["a word that all have, of a period", { search: "TABLETS", to: "2026-01-01T03:00:00Z" }],
    ["a word of one file of some", { search: "phones" }],
    ["a word of one file of some, of a version and platform", { search: "phones", version: "1.0", platformId: IOS }],
    ["a word of one", { search: "word123." }],
    ["a word that none has", { search: "watches" }],
  ])("for %s finds and counts those of a naive search", async (_what, filter) => {
    const places: Input[] = [{ environmentId: environmentIds[0] as string }, { appId }];
    for (const place of places) {
      const input: Input = { ...filter, ...place };
      const wanted = expected(input);
      const { pages, totals } = await readPages(getBuilds, admin, { ...input, limit: 100 });
      const found = pages.flat().map(({ environment, buildNumber }) => `${environment.id} ${buildNumber}`);
      expect(new Set(found)).toEqual(new Set(wanted));
      // Builds of two environments may have the same time.
      if (input.environmentId) expect(found).toEqual(wanted);
      else expect(found).toHaveLength(wanted.length);
      const { body } = await send(getBuilds, admin, { ...input, limit: 1 });
      const isMore = wanted.length > COUNTED;
      expect([totals[0], body.totalIsAtLeast]).toEqual([isMore ? COUNTED : wanted.length, isMore || undefined]);
    }
  });
});
