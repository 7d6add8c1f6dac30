import "server-only";
import type { z } from "zod";
import { orNotFound, pagePosition, toPage } from "@/lib/api/list";
import type { Db } from "@/lib/db/client";
import type { PlatformKind, Prisma, Status } from "@/lib/db/generated/client";
import { lockRow, lockUntilCommit } from "@/lib/db/locks";
import { empty, queryRows, raw, sql } from "@/lib/db/query";
import { toRelease } from "@/lib/features/releases/data/answers";
import { detailsOf, findRelease, type ReleaseRow, readReleases } from "@/lib/features/releases/data/rows";
import { env } from "@/lib/kernel/env";
import { ApiError, invalidField } from "@/lib/kernel/errors";
import { newId } from "@/lib/kernel/ids";
import { type AuthenticatedActor, actorId, ownerOf } from "@/lib/permissions/actor";
import type { OwnedTarget } from "@/lib/permissions/authorize";
import { environmentSql, sightOf } from "@/lib/permissions/visibility";
import { type BisectProgress, boundsOf, type GivenAnswer, progressOf } from "./rules";
import {
  type Bisect,
  type BisectRelease,
  type getOwnBisectsInput,
  MAX_BUILDS,
  MAX_OWN_BISECTS,
  MAX_SUSPECTS,
  type OwnBisect,
} from "./schema";

/** An answer as it is stored, with what names the release after it was deleted. */
export interface StoredAnswer extends GivenAnswer, Omit<BisectRelease, "deleted"> {}

/** A bisection with the place that it is about. */
export interface BisectRow extends Omit<Prisma.BisectGetPayload<object>, "answers"> {
  answers: StoredAnswer[];
  environment: {
    id: string;
    name: string;
    status: Status;
    app: { id: string; name: string; identifier: string; status: Status };
  };
  platform: { id: string; name: string; kind: PlatformKind };
}

/** A bisection without its builds. */
type ListedRow = Omit<BisectRow, "releaseIds">;

const COLUMNS = sql`
  b."id", b."environmentId", b."platformId", b."userId", b."tokenId", b."answers", b."remaining", b."stepsLeft", b."createdAt",
  b."updatedAt", json_build_object('id', p."id", 'name', p."name", 'kind', p."kind") AS "platform",
  json_build_object('id', e."id", 'name', e."name", 'status', e."status", 'app', json_build_object(
    'id', a."id", 'name', a."name", 'identifier', a."identifier", 'status', a."status")) AS "environment"`;
const FROM = sql`
  FROM "Bisect" b JOIN "Environment" e ON e."id" = b."environmentId" JOIN "App" a ON a."id" = e."appId"
    JOIN "Platform" p ON p."id" = b."platformId"`;

async function findBisect(from: Db, id: string): Promise<BisectRow | null> {
  const [row] = await queryRows<BisectRow>(
    from,
    sql`SELECT ${COLUMNS}, b."releaseIds" ${FROM} WHERE b."id" = ${id}::uuid`,
    { prepared: true },
  );
  return row ?? null;
}

/** Loads a bisection as the target of its owner, who must still be allowed to read the releases; null if it does not exist. */
export async function bisectTarget(from: Db, id: string): Promise<(OwnedTarget & { bisect: BisectRow }) | null> {
  const bisect = await findBisect(from, id);
  if (!bisect) return null;
  const { userId, tokenId, environment } = bisect;
  return {
    owner: userId === null ? ownerOf({ kind: "token", tokenId: tokenId as string }) : ownerOf({ kind: "user", userId }),
    place: {
      appId: environment.app.id,
      environmentId: environment.id,
      active: environment.status === "active" && environment.app.status === "active",
    },
    bisect,
  };
}

/**
 * Locks a bisection until the transaction ends.
 * @param before as the call found it
 * @throws ApiError not_found if it was deleted since; conflict if another answer was given since
 */
export async function lockBisect(tx: Db, before: BisectRow): Promise<BisectRow> {
  await lockRow(tx, "Bisect", before.id);
  const bisect = orNotFound(await findBisect(tx, before.id));
  if (bisect.answers.length !== before.answers.length) {
    throw new ApiError("conflict", { detailKey: "detailBisectAnswered" });
  }
  return bisect;
}

export async function removeBisect(tx: Db, id: string): Promise<void> {
  const { count } = await tx.bisect.deleteMany({ where: { id } });
  orNotFound(count || null);
}

const commitOf = ({ metadata }: Pick<ReleaseRow, "metadata">) =>
  ((metadata as Record<string, string>).gitCommit || null) as string | null;

/** What a bisection keeps of an answer about a release. */
export function answerOf(release: ReleaseRow, given: GivenAnswer): StoredAnswer {
  const { id, version, buildNumber, deployDate } = release;
  return { ...given, id, version, buildNumber, commit: commitOf(release), deployDate: deployDate.toISOString() };
}

/** Whether a release was published after another one. */
const isAfter = (one: ReleaseRow, other: ReleaseRow) =>
  one.deployDate.getTime() === other.deployDate.getTime() ? one.id > other.id : one.deployDate > other.deployDate;

/**
 * Loads a release of an environment and keeps it until the transaction ends.
 * @throws ApiError validation_failed if the environment has no such release. Nothing tells that another one has it.
 */
async function holdEnd(
  tx: Db,
  field: "goodId" | "badId",
  { id, environmentId }: { id: string; environmentId: string },
): Promise<ReleaseRow> {
  const [row] = await queryRows<{ id: string }>(
    tx,
    sql`SELECT "id" FROM "Release" WHERE "id" = ${id}::uuid AND "environmentId" = ${environmentId}::uuid FOR SHARE`,
  );
  const release = row && (await findRelease(tx, sql`SELECT r.* FROM "Release" r WHERE r."id" = ${id}::uuid`));
  if (!release) throw invalidField(field, "bisectRelease");
  return release;
}

/** @throws ApiError validation_failed if no build between the two can have brought a fault */
function requireRange(good: ReleaseRow, bad: ReleaseRow): void {
  if (good.platformId !== bad.platformId) throw invalidField("badId", "bisectPlatform");
  if (good.identifier !== bad.identifier) {
    throw invalidField("badId", "bisectIdentifier", { good: good.identifier, bad: bad.identifier });
  }
  const kinds = { from: detailsOf(bad).kind, to: detailsOf(good).kind };
  if (kinds.from !== kinds.to) throw invalidField("badId", "differentKind", kinds);
  if (good.buildId === bad.buildId) throw invalidField("badId", "bisectSame");
  if (isAfter(good, bad)) throw invalidField("goodId", "bisectOrder");
}

/**
 * The releases of a bisection in the order of publication: one of each build of the same platform, app and kind of installer, the
 * last published one between the good and the bad one.
 * @throws ApiError validation_failed if there are too many
 */
async function releasesBetween(tx: Db, good: ReleaseRow, bad: ReleaseRow): Promise<string[]> {
  const rows = await queryRows<{ id: string }>(
    tx,
    sql`
      SELECT b."id" FROM (
        SELECT DISTINCT ON (r."buildId") r."id", r."deployDate" FROM "Release" r
        WHERE r."environmentId" = ${good.environmentId}::uuid AND r."platformId" = ${good.platformId}::uuid
          AND (r."deployDate", r."id") > (${good.deployDate}, ${good.id}::uuid)
          AND (r."deployDate", r."id") < (${bad.deployDate}, ${bad.id}::uuid)
          AND r."identifier" = ${good.identifier} AND r."installer"->>'kind' = ${detailsOf(good).kind}
          AND r."buildId" NOT IN (${good.buildId}::uuid, ${bad.buildId}::uuid)
        ORDER BY r."buildId", r."deployDate" DESC, r."id" DESC
      ) b ORDER BY b."deployDate", b."id" LIMIT ${MAX_BUILDS - 1}`,
  );
  if (rows.length > MAX_BUILDS - 2) throw invalidField("goodId", "bisectTooLong", { limit: MAX_BUILDS });
  return [good.id, ...rows.map(({ id }) => id), bad.id];
}

/** Whose bisections they are. */
function ownerWhere(actor: AuthenticatedActor) {
  return actor.kind === "user" ? { userId: actor.userId } : { tokenId: actor.tokenId };
}

/**
 * Begins a bisection between two releases of an environment.
 * @throws ApiError validation_failed if the two cannot be the ends of one; conflict if the owner has too many
 */
export async function createBisect(
  tx: Db,
  { goodId, badId, environmentId }: { goodId: string; badId: string; environmentId: string },
  { actor, now }: { actor: AuthenticatedActor; now: Date },
): Promise<BisectRow> {
  await lockUntilCommit(tx, `bisects:${actorId(actor)}`);
  if ((await tx.bisect.count({ where: ownerWhere(actor) })) >= MAX_OWN_BISECTS) {
    throw new ApiError("conflict", { detailKey: "detailTooManyBisects", params: { limit: MAX_OWN_BISECTS } });
  }
  const good = await holdEnd(tx, "goodId", { id: goodId, environmentId });
  const bad = await holdEnd(tx, "badId", { id: badId, environmentId });
  requireRange(good, bad);
  const releaseIds = await releasesBetween(tx, good, bad);
  const answers = [
    answerOf(good, { place: 0, answer: "good" }),
    answerOf(bad, { place: releaseIds.length - 1, answer: "bad" }),
  ];
  const { untried, stepsLeft } = progressOf(answers, () => true);
  const id = newId();
  await tx.bisect.create({
    data: {
      id,
      environmentId,
      platformId: good.platformId,
      ...ownerWhere(actor),
      releaseIds,
      answers: answers as unknown as Prisma.InputJsonValue,
      remaining: untried,
      stepsLeft,
      createdAt: now,
      updatedAt: now,
    },
    select: { id: true },
  });
  return orNotFound(await findBisect(tx, id));
}

/** How far a bisection is, and which of its releases exist. */
export async function readProgress(from: Db, bisect: BisectRow): Promise<BisectProgress> {
  const { good, bad } = boundsOf(bisect.answers);
  const rows = await queryRows<{ id: string }>(
    from,
    sql`SELECT r."id" FROM "Release" r WHERE r."id" = ANY(${bisect.releaseIds.slice(good, bad + 1)}::uuid[])`,
  );
  const existing = new Set(rows.map(({ id }) => id));
  return progressOf(bisect.answers, (place) => existing.has(bisect.releaseIds[place] as string));
}

/** The ends of a bisection, which are no answers. */
const ENDS = 2;

/** The last answer of a bisection; null if there is none. */
export function lastAnswer({ answers }: Pick<BisectRow, "answers">): StoredAnswer | null {
  return answers.slice(ENDS).at(-1) ?? null;
}

/** Replaces the answers of a bisection that is locked. */
export async function storeAnswers(tx: Db, bisect: BisectRow, answers: StoredAnswer[], now: Date): Promise<BisectRow> {
  const progress = await readProgress(tx, { ...bisect, answers });
  const { stepsLeft } = progress;
  const changes = { remaining: progress.untried + progress.skipped.length, stepsLeft, updatedAt: now };
  await tx.bisect.update({
    where: { id: bisect.id },
    data: { ...changes, answers: answers as unknown as Prisma.InputJsonValue },
    select: { id: true },
  });
  return { ...bisect, ...changes, answers };
}

/** Loads a release of a bisection; null if it was deleted. */
export function findBisectRelease(from: Db, bisect: BisectRow, place: number): Promise<ReleaseRow | null> {
  const id = bisect.releaseIds[place] as string;
  return findRelease(from, sql`SELECT r.* FROM "Release" r WHERE r."id" = ${id}::uuid`);
}

/** What both the list and the answer about one bisection show of a row. */
function shownPlace({ id, environment, platform, answers, createdAt, updatedAt }: ListedRow) {
  const { app } = environment;
  return {
    id,
    app: { id: app.id, name: app.name, identifier: app.identifier },
    environment: { id: environment.id, name: environment.name },
    platform,
    answers: answers.length - ENDS,
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  };
}

/** A release as a bisection names it: as it is, or as it was when it was tried. */
function named({ answers }: ListedRow, place: number, release: ReleaseRow | undefined): BisectRelease {
  if (release) {
    const { answer: _, place: __, ...facts } = answerOf(release, { place, answer: "skip" });
    return { ...facts, deleted: false };
  }
  const { id, version, buildNumber, deployDate, commit } = answers.find(
    (answer) => answer.place === place,
  ) as StoredAnswer;
  return { id, version, buildNumber, deployDate, commit, deleted: true };
}

function diffOf(good: BisectRelease, bad: BisectRelease): Bisect["diff"] {
  if (good.deleted || bad.deleted) return null;
  const ids = { from: good.id, to: bad.id };
  return { ...ids, url: `${env.APP_URL}/api/apps/get-release-diff?${new URLSearchParams(ids)}` };
}

/** A bisection as it is now. */
export async function toBisect(from: Db, bisect: BisectRow): Promise<Bisect> {
  const { good, bad, next, untried, skipped, deleted, stepsLeft } = await readProgress(from, bisect);
  const done = next === null;
  const suspectPlaces = done ? skipped.slice(0, MAX_SUSPECTS) : [];
  const last = lastAnswer(bisect);
  const places = [good, bad, ...(done ? suspectPlaces : [next]), ...(last ? [last.place] : [])];
  const ids = places.map((place) => bisect.releaseIds[place] as string);
  const { rows } = await readReleases(from, sql`SELECT r.* FROM "Release" r WHERE r."id" = ANY(${ids}::uuid[])`);
  const byId = new Map(rows.map((row) => [row.id, row]));
  const at = (place: number) => byId.get(bisect.releaseIds[place] as string);
  const nextRelease = done ? undefined : at(next);
  // It was deleted after the progress had been read.
  if (!done && !nextRelease) return toBisect(from, bisect);
  const ends = { good: named(bisect, good, at(good)), bad: named(bisect, bad, at(bad)) };
  const isFound = done && skipped.length === 0;
  const shownBad = isFound ? at(bad) : undefined;
  const notes = shownBad && toRelease(shownBad);
  const { description = null, descriptionHtml = null, metadata = {} } = notes ?? {};
  const suspects = suspectPlaces.map((place) => named(bisect, place, at(place)));
  return {
    ...shownPlace(bisect),
    ...ends,
    remaining: untried + skipped.length,
    stepsLeft,
    done,
    next: nextRelease ? toRelease(nextRelease) : null,
    last: last && { ...named(bisect, last.place, at(last.place)), answer: last.answer },
    skipped: skipped.length,
    deleted,
    firstBad: isFound ? { ...ends.bad, description, descriptionHtml, metadata } : null,
    lastGood: isFound ? ends.good : null,
    suspects: suspects.length > 0 ? [...suspects, ends.bad].slice(0, MAX_SUSPECTS) : [],
    diff: done ? diffOf(ends.good, ends.bad) : null,
  };
}

/** The newest good and the oldest bad build of a bisection, as its answers name them. */
function endsOf(row: ListedRow): { good: BisectRelease; bad: BisectRelease } {
  const bounds = boundsOf(row.answers);
  return { good: named(row, bounds.good, undefined), bad: named(row, bounds.bad, undefined) };
}

/** The bisections of a caller in the environments whose releases they may read. */
export async function listOwnBisects(from: Db, actor: AuthenticatedActor, input: z.output<typeof getOwnBisectsInput>) {
  const { field, descending, after } = pagePosition(input, ["createdAt", "updatedAt"]);
  const [key, direction] = [raw(`b."${field}"`), raw(descending ? "DESC" : "ASC")];
  const owned =
    actor.kind === "user" ? sql`b."userId" = ${actor.userId}::uuid` : sql`b."tokenId" = ${actor.tokenId}::uuid`;
  const where = sql`${owned} AND ${environmentSql.readable(sightOf(actor, "release:read"))}`;
  const beyond = after
    ? sql`AND (${key}, b."id") ${raw(descending ? "<" : ">")} (${after.value}::timestamptz, ${after.id}::uuid)`
    : empty;
  const [found, counted] = await Promise.all([
    queryRows<ListedRow>(
      from,
      sql`SELECT ${COLUMNS} ${FROM} WHERE ${where} ${beyond}
        ORDER BY ${key} ${direction}, b."id" ${direction} LIMIT ${input.limit + 1}`,
    ),
    queryRows<{ total: number }>(from, sql`SELECT count(*)::int AS "total" ${FROM} WHERE ${where}`),
  ]);
  const { rows, nextCursor } = toPage(found, input);
  const ends = rows.map(endsOf);
  const ids = ends.flatMap(({ good, bad }) => [good.id, bad.id]);
  const releases = await from.release.findMany({ where: { id: { in: ids } }, select: { id: true } });
  const existing = new Set(releases.map(({ id }) => id));
  const items = rows.map((row, index): OwnBisect => {
    const { good, bad } = ends[index] as (typeof ends)[number];
    const { remaining, stepsLeft } = row;
    return {
      ...shownPlace(row),
      good: { ...good, deleted: !existing.has(good.id) },
      bad: { ...bad, deleted: !existing.has(bad.id) },
      remaining,
      stepsLeft,
      done: stepsLeft === 0,
    };
  });
  return { items, nextCursor, total: counted[0]?.total ?? 0 };
}

/** What the audit log tells of a bisection. */
export function auditedBisect({ environmentId, releaseIds }: BisectRow) {
  return { environmentId, goodId: releaseIds[0], badId: releaseIds.at(-1) };
}
