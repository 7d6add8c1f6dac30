import "server-only";
import type { z } from "zod";
import {
  cappedCount,
  FILTERED_COUNT_CAP,
  likeText,
  orNotFound,
  pagePosition,
  SEARCH_COUNT_CAP,
  toPage,
} from "@/lib/api/list";
import { requireRoom } from "@/lib/api/room";
import type { Db } from "@/lib/db/client";
import type { Prisma, Status } from "@/lib/db/generated/client";
import { lockRow } from "@/lib/db/locks";
import { countRows, empty, join, queryRows, raw, type Sql, sql } from "@/lib/db/query";
import { env } from "@/lib/kernel/env";
import type { Actor } from "@/lib/permissions/actor";
import { scopesFor, type Target } from "@/lib/permissions/authorize";
import { groupsOfReleaseSql } from "@/lib/permissions/visibility";
import type { Feedback, getFeedbackInput } from "../schema";

/** Feedback with the names that it is shown with. */
export interface FeedbackRow extends Prisma.FeedbackGetPayload<object> {
  environment: { id: string; name: string; status: Status; app: { id: string; name: string; status: Status } };
  user: { id: string; firstNames: string; lastNames: string } | null;
  token: { id: string; name: string } | null;
  shareLink: { id: string; name: string } | null;
  /** That its release was distributed to. */
  groups: string[];
}

/** @param rows what is read as `f` */
function readFeedback(from: Db, rows: Sql, page: Sql = empty): Promise<FeedbackRow[]> {
  return queryRows<FeedbackRow>(
    from,
    sql`
      SELECT f."id", f."environmentId", f."releaseId", f."version", f."buildNumber", f."text", f."rating", f."state", f."note",
        f."device", f."osVersion", f."model", f."screenshotFileId", f."createdByUser", f."createdByToken", f."shareLinkId",
        f."mailed", f."createdAt", f."updatedAt",
        json_build_object('id', e."id", 'name', e."name", 'status', e."status",
          'app', json_build_object('id', a."id", 'name', a."name", 'status', a."status")) AS "environment",
        CASE WHEN u."id" IS NOT NULL
          THEN json_build_object('id', u."id", 'firstNames', u."firstNames", 'lastNames', u."lastNames") END AS "user",
        CASE WHEN t."id" IS NOT NULL THEN json_build_object('id', t."id", 'name', t."name") END AS "token",
        CASE WHEN l."id" IS NOT NULL THEN json_build_object('id', l."id", 'name', l."name") END AS "shareLink",
        ${groupsOfReleaseSql(sql`f."releaseId"`)} AS "groups"
      FROM (${rows}) f JOIN "Environment" e ON e."id" = f."environmentId" JOIN "App" a ON a."id" = e."appId"
        LEFT JOIN "User" u ON u."id" = f."createdByUser" LEFT JOIN "ApiToken" t ON t."id" = f."createdByToken"
        LEFT JOIN "ShareLink" l ON l."id" = f."shareLinkId"
      ${page}`,
  );
}

async function findFeedback(from: Db, id: string): Promise<FeedbackRow | null> {
  const [row] = await readFeedback(from, sql`SELECT * FROM "Feedback" f WHERE f."id" = ${id}::uuid`);
  return row ?? null;
}

/** The path of the picture of feedback. */
function screenshotUrl(id: string): string {
  return `/api/feedback/download-feedback-screenshot?id=${id}`;
}

function authorOf({ user, token, shareLink }: FeedbackRow, mayChange: boolean): Feedback["author"] {
  if (user) return { kind: "user", id: user.id, name: `${user.firstNames} ${user.lastNames}` };
  if (token) return { kind: "token", ...token };
  return shareLink && { kind: "link", id: shareLink.id, name: mayChange ? shareLink.name : null };
}

/** Feedback as the API shows it to a caller. */
export function toFeedback(row: FeedbackRow, actor: Actor): Feedback {
  const { environment } = row;
  const { app } = environment;
  const mayChange = scopesFor(actor, { appId: app.id, environmentId: environment.id }).includes("release:update");
  return {
    id: row.id,
    app: { id: app.id, name: app.name },
    environment: { id: environment.id, name: environment.name },
    releaseId: row.releaseId,
    version: row.version,
    buildNumber: row.buildNumber,
    text: row.text,
    rating: row.rating,
    state: row.state,
    note: row.note,
    device: row.device,
    osVersion: row.osVersion,
    model: row.model,
    screenshotUrl: row.screenshotFileId && screenshotUrl(row.id),
    author: authorOf(row, mayChange),
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
    mayChange,
  };
}

/** What the audit log tells of feedback. It keeps its records for good, and people may ask for what they wrote to be deleted. */
export function auditedFeedback({ releaseId, version, buildNumber, rating, state, screenshotFileId }: FeedbackRow) {
  return { releaseId, version, buildNumber, rating, state, screenshotFileId };
}

/** Feedback as the target of a call. */
interface FeedbackTarget extends Target {
  feedback: FeedbackRow;
}

/** Loads feedback as the target of a call; null if it does not exist. */
export async function feedbackTarget(from: Db, id: string): Promise<FeedbackTarget | null> {
  const feedback = await findFeedback(from, id);
  if (!feedback) return null;
  const { app, ...environment } = feedback.environment;
  const active = app.status === "active" && environment.status === "active";
  return { appId: app.id, environmentId: environment.id, active, groups: feedback.groups, feedback };
}

/** @throws ApiError not_found if it was deleted at the same moment */
export async function createFeedback(
  tx: Db,
  data: Prisma.FeedbackUncheckedCreateInput & { id: string },
): Promise<FeedbackRow> {
  await tx.feedback.create({ data, select: { id: true } });
  return orNotFound(await findFeedback(tx, data.id));
}

/**
 * Loads feedback and locks its row until the transaction ends.
 * @throws ApiError not_found if it was deleted
 */
export async function lockFeedback(tx: Db, id: string): Promise<FeedbackRow> {
  await lockRow(tx, "Feedback", id);
  return orNotFound(await findFeedback(tx, id));
}

/** Changes feedback that is locked. */
export async function updateFeedback(
  tx: Db,
  id: string,
  data: Prisma.FeedbackUncheckedUpdateInput,
): Promise<FeedbackRow> {
  await tx.feedback.update({ where: { id }, data, select: { id: true } });
  return orNotFound(await findFeedback(tx, id));
}

export async function removeFeedback(tx: Db, id: string): Promise<void> {
  await tx.feedback.delete({ where: { id } });
}

type Filters = z.output<typeof getFeedbackInput>;

/** Where feedback was given: on a release, or in environments. */
function placeOf({ releaseId }: Filters, environmentIds: readonly string[]): Sql {
  if (releaseId !== undefined) return sql`f."releaseId" = ${releaseId}::uuid`;
  return sql`f."environmentId" = ANY (${environmentIds}::uuid[])`;
}

function conditionsOf(input: Filters): Sql[] {
  const { state, rating, device, search } = input;
  const searched = `%${likeText(search ?? "")}%`;
  return [
    ...(state ? [sql`f."state" = ${state}::"FeedbackState"`] : []),
    ...(rating ? [sql`f."rating" = ${rating}::int`] : []),
    ...(device ? [sql`f."device" = ${device}::"DeviceKind"`] : []),
    ...(search
      ? [sql`(f."text" ILIKE ${searched} OR f."note" ILIKE ${searched} OR f."version" ILIKE ${searched})`]
      : []),
  ];
}

/** The number of rows that meet conditions, at most `take`. */
const countFeedback = (from: Db, conditions: readonly Sql[], take: number) =>
  countRows(from, sql`SELECT 1 FROM "Feedback" f WHERE ${join([...conditions], " AND ")}`, take);

/** One page of the feedback on a release, or on those of environments. */
export async function listFeedback(from: Db, input: Filters, environmentIds: readonly string[]) {
  const { descending, after } = pagePosition(input);
  const direction = raw(descending ? "DESC" : "ASC");
  const place = placeOf(input, environmentIds);
  const conditions = conditionsOf(input);
  const wanted = [place, ...conditions];
  const beyond = after
    ? [sql`(f."createdAt", f."id") ${raw(descending ? "<" : ">")} (${after.value}, ${after.id}::uuid)`]
    : [];
  const page = sql`ORDER BY f."createdAt" ${direction}, f."id" ${direction} LIMIT ${input.limit + 1}`;
  // The first rows of each environment in the order of an index, and of these the first.
  const ofEnvironment = [sql`f."environmentId" = e."id"`, ...conditions, ...beyond];
  const pageRows =
    input.releaseId === undefined
      ? sql`SELECT f.* FROM unnest(${environmentIds}::uuid[]) e ("id") CROSS JOIN LATERAL (
          SELECT * FROM "Feedback" f WHERE ${join(ofEnvironment, " AND ")} ${page}) f ${page}`
      : sql`SELECT * FROM "Feedback" f WHERE ${join([...wanted, ...beyond], " AND ")} ${page}`;
  const [rows, total, open] = await Promise.all([
    readFeedback(from, pageRows, sql`ORDER BY f."createdAt" ${direction}, f."id" ${direction}`),
    cappedCount(input.search ? SEARCH_COUNT_CAP : FILTERED_COUNT_CAP, (take) => countFeedback(from, wanted, take)),
    countFeedback(from, [place, sql`f."state" = 'open'`], FILTERED_COUNT_CAP),
  ]);
  return { ...toPage(rows, input), ...total, open };
}

/** How much feedback a release has, counted up to a number. */
export function countFeedbackOfRelease(from: Db, releaseId: string, upTo: number): Promise<number> {
  return countFeedback(from, [sql`f."releaseId" = ${releaseId}::uuid`], upTo);
}

/**
 * Refuses one more piece of feedback where an environment has as much as it may have. It outlives its release.
 * @throws ApiError conflict
 */
export async function requireRoomForFeedback(tx: Db, environmentId: string): Promise<void> {
  await requireRoom(tx, {
    key: `feedback-of-environment:${environmentId}`,
    rows: sql`SELECT 1 FROM "Feedback" WHERE "environmentId" = ${environmentId}::uuid`,
    limit: env.MAX_FEEDBACK,
    detailKey: "detailFeedback",
  });
}

/** Whether a mail has told the publisher of a release of feedback since an instant. */
export async function wasMailedSince(from: Db, releaseId: string, since: Date): Promise<boolean> {
  const found = await queryRows(
    from,
    sql`SELECT 1 FROM "Feedback" WHERE "releaseId" = ${releaseId}::uuid AND "createdAt" > ${since} AND "mailed" LIMIT 1`,
  );
  return found.length > 0;
}
