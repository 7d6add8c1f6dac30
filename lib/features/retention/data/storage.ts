import "server-only";
import type { Db } from "@/lib/db/client";
import { queryRows, sql } from "@/lib/db/query";
import { LARGEST_RELEASES, LISTED_APPS, type Storage } from "../schema";

type Usage = Storage["all"];
type Kind = keyof Usage["bytes"];

/** What an environment takes of a kind, and what retention moves next. */
interface CountRow {
  appId: string;
  app: string;
  environmentId: string;
  environment: string;
  counts: { kind: string; releases: number; bytes: number }[] | null;
  dueReleases: number;
  dueBytes: number;
}

const EMPTY: Usage = {
  bytes: { ipa: 0, apk: 0, aab: 0, other: 0, bin: 0 },
  total: 0,
  releases: 0,
  due: { releases: 0, bytes: 0 },
};

const KINDS = Object.keys(EMPTY.bytes) as Kind[];

function usageOf({ counts, dueReleases, dueBytes }: CountRow): Usage {
  const usage: Usage = { ...EMPTY, bytes: { ...EMPTY.bytes }, due: { releases: dueReleases, bytes: dueBytes } };
  for (const { kind, releases, bytes } of counts ?? []) {
    const known = KINDS.find((one) => one === kind) ?? "other";
    usage.bytes[known] += bytes;
    usage.total += bytes;
    if (known !== "bin") usage.releases += releases;
  }
  return usage;
}

function sumOf(usages: readonly Usage[]): Usage {
  const sum = (value: (usage: Usage) => number) => usages.reduce((total, usage) => total + value(usage), 0);
  return {
    bytes: Object.fromEntries(KINDS.map((kind) => [kind, sum(({ bytes }) => bytes[kind])])) as Usage["bytes"],
    total: sum(({ total }) => total),
    releases: sum(({ releases }) => releases),
    due: { releases: sum(({ due }) => due.releases), bytes: sum(({ due }) => due.bytes) },
  };
}

const bySize = (one: Usage, other: Usage) => other.total - one.total;

/** What the releases of each application and environment take. Triggers maintain the numbers, so the number of releases does not matter. */
export async function readUsage(db: Db): Promise<Pick<Storage, "all" | "apps" | "moreApps">> {
  const rows = await queryRows<CountRow>(
    db,
    sql`
      SELECT a."id" AS "appId", a."name" AS "app", e."id" AS "environmentId", e."name" AS "environment",
        (SELECT json_agg(c) FROM (
          SELECT c."kind", sum(c."releases")::float8 AS "releases", sum(c."bytes")::float8 AS "bytes" FROM "StorageCount" c
          WHERE c."environmentId" = e."id" GROUP BY c."kind"
        ) c) AS "counts",
        coalesce(t."dueReleases", 0)::float8 AS "dueReleases", coalesce(t."dueBytes", 0)::float8 AS "dueBytes"
      FROM "Environment" e JOIN "App" a ON a."id" = e."appId" LEFT JOIN "Retention" t ON t."environmentId" = e."id"
      ORDER BY a."name", a."id", e."position", e."id"`,
    { prepared: true },
  );
  const apps = [...Map.groupBy(rows, (row) => row.appId).values()].map((ofApp) => {
    const environments = ofApp.map((row) => ({
      ...usageOf(row),
      environment: { id: row.environmentId, name: row.environment },
    }));
    const [first] = ofApp as [CountRow, ...CountRow[]];
    return { ...sumOf(environments), app: { id: first.appId, name: first.app }, environments };
  });
  return {
    all: sumOf(apps),
    apps: apps.toSorted(bySize).slice(0, LISTED_APPS),
    moreApps: Math.max(0, apps.length - LISTED_APPS),
  };
}

/** Bytes of the files in use, as the store has them: those of releases, and pictures. */
export async function readStoredBytes(db: Db): Promise<{ releases: number; images: number }> {
  const [row] = await queryRows<{ releases: number; images: number }>(
    db,
    sql`
      SELECT coalesce(sum("change") FILTER (WHERE "purpose" IN ('installer', 'attachment')), 0)::float8 AS "releases",
        coalesce(sum("change") FILTER (WHERE "purpose" NOT IN ('installer', 'attachment')), 0)::float8 AS "images" FROM "StoredBytes"`,
    { prepared: true },
  );
  return row ?? { releases: 0, images: 0 };
}

/** The largest releases. Those of each environment are read in the order of an index. */
export async function readLargest(db: Db): Promise<Storage["largest"]> {
  const rows = await queryRows<Omit<Storage["largest"][number], "deployDate"> & { deployDate: Date }>(
    db,
    sql`
      SELECT r."id", r."displayName", r."version", r."buildNumber", r."deployDate", r."size"::float8 AS "size",
        json_build_object('id', p."id", 'name', p."name", 'kind', p."kind") AS "platform",
        json_build_object('id', a."id", 'name', a."name") AS "app",
        json_build_object('id', e."id", 'name', e."name") AS "environment"
      FROM "Environment" e JOIN "App" a ON a."id" = e."appId" CROSS JOIN LATERAL (
        SELECT r.* FROM "Release" r WHERE r."environmentId" = e."id" ORDER BY r."size" DESC, r."id" DESC LIMIT ${LARGEST_RELEASES}
      ) r JOIN "Platform" p ON p."id" = r."platformId"
      ORDER BY r."size" DESC, r."id" DESC LIMIT ${LARGEST_RELEASES}`,
  );
  return rows.map(({ deployDate, ...row }) => ({ ...row, deployDate: deployDate.toISOString() }));
}
