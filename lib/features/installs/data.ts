import "server-only";
import { z } from "zod";
import { cappedCount, FILTERED_COUNT_CAP, likeText, pagePosition, SEARCH_COUNT_CAP, toPage } from "@/lib/api/list";
import type { Db } from "@/lib/db/client";
import { fewFound, longestWord } from "@/lib/db/few-found";
import { countRows, empty, join, queryRows, raw, type Sql, sql } from "@/lib/db/query";
import { modelName } from "@/lib/features/devices/data";
import { latestInstallersByApp } from "@/lib/features/releases/data/latest";
import { environmentsWithin, readableEnvironments } from "@/lib/features/releases/data/read-places";
import { releaseTarget } from "@/lib/features/releases/data/releases";
import type { PlaceTarget } from "@/lib/features/releases/data/targets";
import { INSTALL_STEPS, PACKAGE_STEPS } from "@/lib/kernel/install-steps";
import type { Actor } from "@/lib/permissions/actor";
import { sightOf } from "@/lib/permissions/visibility";
import type {
  getInstallFunnelInput,
  getReleasePeopleInput,
  InstallFunnel,
  ReleasePerson,
  releasePeopleOutput,
} from "./schema";

/** The newest release for iOS that a caller may read, or else the newest for Android, as the target of a call; null if there is none. */
export async function newestReadableTarget(db: Db, actor: Actor): ReturnType<typeof releaseTarget> {
  const environments = await readableEnvironments(db, sightOf(actor, "release:read"), {});
  const releases = await latestInstallersByApp(db, environments, 1);
  const newest = (kind: string) =>
    releases
      .filter(({ installer }) => (installer as { kind?: unknown }).kind === kind)
      .reduce<(typeof releases)[number] | null>(
        (one, other) => (one && one.deployDate >= other.deployDate ? one : other),
        null,
      );
  const release = newest("ipa") ?? newest("apk");
  return release && releaseTarget(db, release.id);
}

type FunnelInput = z.output<typeof getInstallFunnelInput>;
type PeopleInput = z.output<typeof getReleasePeopleInput>;
type Place = Pick<FunnelInput, "releaseId" | "environmentId" | "appId">;

/** The counts `c` or stops `c` of a place. */
async function countsOf(from: Db, actor: Actor, { releaseId, environmentId, appId }: Place): Promise<Sql> {
  if (releaseId !== undefined) return sql`c."releaseId" = ${releaseId}::uuid`;
  const target = { appId: appId as string, environmentId: environmentId ?? null };
  const ids = await environmentsWithin(from, actor, target, "release:read");
  return sql`c."environmentId" = ANY(${ids}::uuid[]) AND c."releaseId" IS NULL`;
}

type Period = Pick<FunnelInput, "from" | "to">;

/** Whether counts or stops are of a period. Those of all days have totals. */
const hasPeriod = ({ from, to }: Period) => from !== undefined || to !== undefined;

const dayOf = (at: Date) => sql`${at.toISOString().slice(0, 10)}::date`;

/** The days of a period. */
function within({ from, to }: Period): Sql {
  const first = from ? sql`AND c."day" >= ${dayOf(from)}` : empty;
  const last = to ? sql`AND c."day" <= ${dayOf(to)}` : empty;
  return sql`c."day" IS NOT NULL ${first} ${last}`;
}

/** The days before and those after a period, which are apart so that each is one range of the index. */
function outside({ from, to }: Period): Sql[] {
  return [...(from ? [sql`c."day" < ${dayOf(from)}`] : []), ...(to ? [sql`c."day" > ${dayOf(to)}`] : [])];
}

const COUNTED = [...INSTALL_STEPS, "unseen"];
const SUMS = raw(COUNTED.map((name) => `sum(c."${name}")::float8 AS "${name}"`).join(", "));
/** Totals of all days, less those of single days. */
const REST = raw(
  COUNTED.map(
    (name) => `sum(CASE WHEN c."day" IS NULL THEN c."${name}" ELSE -c."${name}" END)::float8 AS "${name}"`,
  ).join(", "),
);

/** Days of a plot, and systems, models and groups of reasons of an answer. */
const MAX_DAYS = 366;
const MAX_ITEMS = 100;

type StepCounts = Omit<InstallFunnel["byDay"][number], "day">;

interface CountRow extends StepCounts {
  unseen: number;
  /** Which of the groups below it belongs to. */
  group: "day" | "os" | "device";
  day: string | null;
  os: InstallFunnel["byOs"][number]["os"] | null;
  system: string | null;
  device: string | null;
}

const stepsOfRow = ({ opened, tapped, manifest, begun, complete, icons }: StepCounts): StepCounts => {
  return { opened, tapped, manifest, begun, complete, icons };
};

const GROUP = sql`CASE WHEN c."os" IS NOT NULL THEN 'os' WHEN c."device" IS NOT NULL THEN 'device' ELSE 'day' END AS "group"`;

/** The counts of all days: of each of them, of each system and of each model. */
function readTotals(from: Db, ofPlace: Sql): Promise<CountRow[]> {
  return queryRows<CountRow>(
    from,
    sql`
      SELECT ${GROUP}, c."day"::text AS "day", c."os"::text AS "os", c."system", c."device", ${SUMS} FROM "InstallCount" c
      WHERE ${ofPlace} AND (c."day" IS NULL OR (c."os" IS NULL AND c."device" IS NULL))
      GROUP BY c."day", c."os", c."system", c."device"`,
  );
}

/**
 * The counts of a period, likewise. Those of systems and models are the sums of its days, or the totals less the days that it leaves
 * out, whichever are fewer: each day has as many rows as systems and models.
 */
async function readPeriod(from: Db, ofPlace: Sql, period: Period): Promise<CountRow[]> {
  const found = await queryRows<CountRow & { days: number }>(
    from,
    sql`
      SELECT 'day' AS "group", (CASE WHEN ${within(period)} THEN c."day" END)::text AS "day", count(DISTINCT c."day")::int AS "days", ${SUMS} FROM "InstallCount" c
      WHERE ${ofPlace} AND c."day" IS NOT NULL AND c."os" IS NULL AND c."device" IS NULL GROUP BY 2`,
  );
  const days = found.filter((row) => row.day !== null);
  const others = found.find((row) => row.day === null)?.days ?? 0;
  // The first condition is that of the index.
  const ofKind = sql`(c."os" IS NULL OR c."device" IS NULL) AND (c."os" IS NOT NULL OR c."device" IS NOT NULL)`;
  const columns = sql`c."day", c."os", c."system", c."device", ${raw(COUNTED.map((name) => `c."${name}"`).join(", "))}`;
  const parts = others < days.length ? [sql`c."day" IS NULL`, ...outside(period)] : [within(period)];
  const counts = parts.map(
    (part) => sql`SELECT ${columns} FROM "InstallCount" c WHERE ${ofPlace} AND ${part} AND ${ofKind}`,
  );
  const sums = others < days.length ? REST : SUMS;
  const devices = await queryRows<CountRow>(
    from,
    sql`
      SELECT ${GROUP}, NULL AS "day", c."os"::text AS "os", c."system", c."device", ${sums} FROM (${join(counts, " UNION ALL ")}) c
      GROUP BY c."os", c."system", c."device"`,
  );
  return [...days, ...devices];
}

/** How far the visitors of a place came. */
export async function readFunnel(
  from: Db,
  input: FunnelInput,
  { actor, target }: { actor: Actor; target: PlaceTarget },
): Promise<InstallFunnel> {
  const ofPlace = await countsOf(from, actor, input);
  const isPeriod = hasPeriod(input);
  const [rows, stops] = await Promise.all([
    isPeriod ? readPeriod(from, ofPlace, input) : readTotals(from, ofPlace),
    queryRows<InstallFunnel["stoppedAt"][number]>(
      from,
      sql`
        SELECT c."step", c."codes", sum(c."count")::float8 AS "count" FROM "InstallStop" c
        WHERE ${ofPlace} AND ${isPeriod ? within(input) : sql`c."day" IS NULL`}
        GROUP BY c."step", c."codes" HAVING sum(c."count") > 0 ORDER BY 3 DESC, 1, 2 LIMIT ${MAX_ITEMS}`,
    ),
  ]);
  const groups = Map.groupBy(rows, ({ group }) => group);
  const sumOf = (name: keyof StepCounts | "unseen") =>
    (groups.get("day") ?? []).reduce((sum, row) => sum + row[name], 0);
  const counted = (group: CountRow["group"]) => (groups.get(group) ?? []).filter(({ opened }) => opened > 0);
  const mostFirst = (group: CountRow["group"]) => {
    const name = ({ os, system, device }: CountRow) => [os, system, device].join(" ");
    const order = (a: CountRow, b: CountRow) => b.opened - a.opened || (name(a) < name(b) ? -1 : 1);
    return counted(group).sort(order).slice(0, MAX_ITEMS);
  };
  const installer = target.release?.installer as { kind: string } | undefined;
  const steps = !installer || installer.kind === "ipa" ? INSTALL_STEPS : PACKAGE_STEPS;
  return {
    steps: steps.map((step) => ({ step, count: sumOf(step) })),
    unseen: sumOf("unseen"),
    byDay: counted("day")
      .map((row) => ({ day: row.day as string, ...stepsOfRow(row) }))
      .sort((a, b) => (a.day < b.day ? -1 : 1))
      .slice(-MAX_DAYS),
    byOs: mostFirst("os").map((row) => {
      return { os: row.os as NonNullable<CountRow["os"]>, version: row.system || null, ...stepsOfRow(row) };
    }),
    byDevice: mostFirst("device").map((row) => {
      return { device: row.device || null, name: modelName(row.device || null), ...stepsOfRow(row) };
    }),
    stoppedAt: stops,
  };
}

/** A row of the counts of a place as they are kept. */
export interface FunnelRow extends StepCounts {
  id: string;
  day: string;
  os: string;
  version: string;
  device: string;
}

/** The counts of a place by day, system and model, page by page. */
export async function listCounts(
  from: Db,
  input: FunnelInput & { cursor?: string | undefined; limit: number },
  actor: Actor,
): Promise<{ items: FunnelRow[]; nextCursor: string | null }> {
  const wanted = sql`${await countsOf(from, actor, input)} AND ${within(input)} AND c."os" IS NOT NULL AND c."device" IS NOT NULL`;
  const items = await queryRows<FunnelRow>(
    from,
    sql`
      SELECT c."id"::text AS "id", c."day"::text AS "day", c."os"::text AS "os", c."system" AS "version", c."device",
        c."opened"::float8 AS "opened", c."tapped"::float8 AS "tapped", c."manifest"::float8 AS "manifest",
        c."begun"::float8 AS "begun", c."complete"::float8 AS "complete", c."icons"::float8 AS "icons"
      FROM "InstallCount" c WHERE ${wanted} AND c."opened" > 0 AND c."id" > ${input.cursor ?? "0"}::bigint
      ORDER BY c."id" LIMIT ${input.limit}`,
  );
  return { items, nextCursor: items.length < input.limit ? null : (items.at(-1)?.id ?? null) };
}

const LAST_STEP = sql`CASE WHEN v."completeAt" IS NOT NULL THEN 'complete' WHEN v."begunAt" IS NOT NULL THEN 'begun'
  WHEN v."manifestAt" IS NOT NULL THEN 'manifest' WHEN v."tappedAt" IS NOT NULL THEN 'tapped' ELSE 'opened' END`;

interface PersonRow extends Omit<ReleasePerson, "openedAt" | "completeAt" | "lastAt" | "modelName" | "complete"> {
  /** Of the release and the person. */
  id: string;
  fromStore: boolean;
  openedAt: Date | null;
  completeAt: Date | null;
  lastAt: Date;
}

/** Two IDs, of the release and the person. */
const personKey = z.string().regex(/^[0-9a-f-]{36} [0-9a-f-]{36}$/);

function toPerson({ id: _, fromStore, ...row }: PersonRow): ReleasePerson {
  const { model, completeAt, openedAt, lastAt, codes } = row;
  const isUnknown = fromStore && row.step === "begun";
  return {
    ...row,
    modelName: modelName(model),
    complete: completeAt ? true : isUnknown ? null : false,
    codes: completeAt ? [] : codes,
    openedAt: openedAt?.toISOString() ?? null,
    completeAt: completeAt?.toISOString() ?? null,
    lastAt: lastAt.toISOString(),
  };
}

/** One page of the people of a release or an environment, with how many there are. */
export async function listPeople(from: Db, input: PeopleInput): Promise<z.output<typeof releasePeopleOutput>> {
  const { releaseId, environmentId, step, search } = input;
  const place = releaseId ? sql`v."releaseId" = ${releaseId}::uuid` : sql`v."environmentId" = ${environmentId}::uuid`;
  const conditions = [sql`${place} AND v."userId" IS NOT NULL`];
  if (step) conditions.push(sql`${LAST_STEP} = ${step}`);
  if (search) {
    const pattern = `%${likeText(search)}%`;
    conditions.push(sql`(u."firstNames" || ' ' || u."lastNames" ILIKE ${pattern} OR u."email" ILIKE ${pattern})`);
    const word = `%${likeText(longestWord(search))}%`;
    const few = await fewFound(from, sql`SELECT u."id" FROM "User" u WHERE u."searchText" LIKE search_text(${word})`);
    if (few) conditions.push(sql`v."userId" = ANY(${few}::uuid[])`);
  }
  const wanted = join(conditions, " AND ");
  const { descending, after } = pagePosition(input, ["lastAt"], personKey);
  const direction = raw(descending ? "DESC" : "ASC");
  const [afterRelease, afterPerson] = after?.id.split(" ") ?? [];
  const beyond = after
    ? sql`AND (v."lastAt", v."releaseId", v."visitorId") ${raw(descending ? "<" : ">")}
        (${after.value}::timestamptz, ${afterRelease}::uuid, ${afterPerson}::uuid)`
    : empty;
  const [rows, total] = await Promise.all([
    queryRows<PersonRow>(
      from,
      sql`
        SELECT v."releaseId" || ' ' || v."visitorId" AS "id", ${LAST_STEP} AS "step", v."fromStore", v."codes", v."os"::text AS "os",
          v."osVersion", v."model", v."openedAt", v."completeAt", v."lastAt",
          json_build_object('id', u."id", 'name', u."firstNames" || ' ' || u."lastNames", 'email', u."email") AS "user",
          json_build_object('id', r."id", 'version', r."version", 'buildNumber', r."buildNumber") AS "release"
        FROM "InstallVisit" v JOIN "User" u ON u."id" = v."userId" JOIN "Release" r ON r."id" = v."releaseId"
        WHERE ${wanted} ${beyond}
        ORDER BY v."lastAt" ${direction}, v."releaseId" ${direction}, v."visitorId" ${direction} LIMIT ${input.limit + 1}`,
    ),
    cappedCount(search ? SEARCH_COUNT_CAP : FILTERED_COUNT_CAP, (take) =>
      countRows(from, sql`SELECT 1 FROM "InstallVisit" v JOIN "User" u ON u."id" = v."userId" WHERE ${wanted}`, take),
    ),
  ]);
  const { rows: page, nextCursor } = toPage(rows, input);
  return { items: page.map(toPerson), nextCursor, ...total };
}
