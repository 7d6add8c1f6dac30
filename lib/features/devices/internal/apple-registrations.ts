import "server-only";
import type { z } from "zod";
import { likeText, orNotFound, pagePosition, toPage } from "@/lib/api/list";
import type { Db } from "@/lib/db/client";
import { lockRow } from "@/lib/db/locks";
import { empty, queryRows, raw, type Sql, sql } from "@/lib/db/query";
import { ApiError } from "@/lib/kernel/errors";
import { newId } from "@/lib/kernel/ids";
import {
  type AppleRegistration,
  type appleRegistrationsOutput,
  type getAppleRegistrationsInput,
  MAX_REGISTERED_AT_ONCE,
} from "../schema";

/** Reasons of refusals, and names with each, that an answer contains. */
const MAX_PROBLEMS = 10;
const MAX_NAMES = 3;

/** A registration `a` as JSON. */
const REGISTRATION = sql`json_build_object('id', a."id", 'state', a."state", 'error', a."error", 'detail', a."detail",
  'createdAt', a."createdAt", 'finishedAt', a."finishedAt", 'total', counts."total", 'registered', counts."registered",
  'already', counts."already", 'disabled', counts."disabled", 'refused', counts."refused",
  'problems', coalesce(problems."items", '[]'::json))`;

/** What became of the devices of a registration `a`. */
const OUTCOMES = sql`
  LEFT JOIN LATERAL (
    SELECT count(*)::int AS "total", count(*) FILTER (WHERE r."result" = 'registered')::int AS "registered",
      count(*) FILTER (WHERE r."result" = 'already')::int AS "already",
      count(*) FILTER (WHERE r."result" = 'disabled')::int AS "disabled",
      count(*) FILTER (WHERE r."result" = 'refused')::int AS "refused"
    FROM "AppleRegistrationDevice" r WHERE r."registrationId" = a."id"
  ) counts ON true
  LEFT JOIN LATERAL (
    SELECT json_agg(reason) AS "items" FROM (
      SELECT r."detail", count(*)::int AS "count", to_json((array_agg(d."name" ORDER BY d."name"))[1:${raw(String(MAX_NAMES))}]) AS "names"
      FROM "AppleRegistrationDevice" r JOIN "Device" d ON d."id" = r."deviceId"
      WHERE r."registrationId" = a."id" AND r."result" = 'refused'
      GROUP BY r."detail" ORDER BY count(*) DESC, r."detail" LIMIT ${raw(String(MAX_PROBLEMS))}
    ) reason
  ) problems ON true`;

type Stored = Omit<AppleRegistration, "createdAt" | "finishedAt"> & { createdAt: string; finishedAt: string | null };

function toRegistration({ createdAt, finishedAt, ...rest }: Stored): AppleRegistration {
  return {
    ...rest,
    createdAt: new Date(createdAt).toISOString(),
    finishedAt: finishedAt && new Date(finishedAt).toISOString(),
  };
}

/** A registration with what became of its devices. */
export async function findRegistration(from: Db, id: string): Promise<AppleRegistration> {
  const [row] = await queryRows<{ registration: Stored }>(
    from,
    sql`SELECT ${REGISTRATION} AS "registration" FROM "AppleRegistration" a ${OUTCOMES} WHERE a."id" = ${id}::uuid`,
  );
  return toRegistration(orNotFound(row).registration);
}

/**
 * Begins to register devices, or finds the registration of the environment that is under way.
 * @param devices conditions on devices `d` and their owners `u`
 * @throws ApiError not_found, conflict if the environment has no key
 */
export async function beginRegistration(
  tx: Db,
  { environmentId, devices, now }: { environmentId: string; devices: Sql; now: Date },
): Promise<{ id: string; isNew: boolean }> {
  orNotFound((await lockRow(tx, "Environment", environmentId)) || null);
  const key = await tx.appStoreKey.findFirst({
    where: { environmentId, certificate: { status: "active" } },
    select: { environmentId: true },
  });
  if (!key) throw new ApiError("conflict", { detailKey: "detailAppStoreKey" });
  const where = { environmentId, state: "pending" };
  const pending = await tx.appleRegistration.findFirst({ where, select: { id: true } });
  if (pending) return { id: pending.id, isNew: false };
  const id = newId();
  await tx.appleRegistration.create({
    data: { id, environmentId, state: "pending", nextAt: now, createdAt: now },
    select: { id: true },
  });
  await queryRows(
    tx,
    sql`
      INSERT INTO "AppleRegistrationDevice" ("registrationId", "deviceId")
      SELECT ${id}::uuid, wanted."id" FROM (
        SELECT DISTINCT ON (d."udidHash") d."id" FROM "Device" d LEFT JOIN "User" u ON u."id" = d."userId"
        WHERE d."udidHash" IS NOT NULL AND d."os" IN ('ios', 'ipados') AND ${devices}
        ORDER BY d."udidHash", d."createdAt", d."id" LIMIT ${MAX_REGISTERED_AT_ONCE}
      ) wanted`,
  );
  return { id, isNew: true };
}

/** One page of the environments that have a key, each with its last registration. */
export async function listRegistrations(
  from: Db,
  input: z.output<typeof getAppleRegistrationsInput>,
): Promise<z.output<typeof appleRegistrationsOutput>> {
  const { environmentId, sort, cursor, search } = input;
  const { descending, after } = pagePosition({ sort, ...(cursor !== undefined && { cursor }) }, ["updatedAt"]);
  const [direction, sign] = descending ? [raw("DESC"), raw("<")] : [raw("ASC"), raw(">")];
  const like = `%${likeText(search ?? "")}%`;
  const filter = sql`${environmentId ? sql`k."environmentId" = ${environmentId}::uuid` : sql`true`}
    AND ${search ? sql`(e."name" ILIKE ${like} OR p."name" ILIKE ${like})` : sql`true`}`;
  const beyond = after
    ? sql`AND (k."updatedAt", k."environmentId") ${sign} (${after.value}::timestamptz, ${after.id}::uuid)`
    : empty;
  const tables = sql`FROM "AppStoreKey" k JOIN "Environment" e ON e."id" = k."environmentId" JOIN "App" p ON p."id" = e."appId"`;
  const [rows, [counted]] = await Promise.all([
    queryRows<{
      id: string;
      updatedAt: Date;
      item: z.output<typeof appleRegistrationsOutput>["items"][number];
      last: Stored | null;
    }>(
      from,
      sql`
        SELECT k."environmentId" AS "id", k."updatedAt", json_build_object('environment', json_build_object('id', e."id", 'name', e."name"),
          'app', json_build_object('id', p."id", 'name', p."name"), 'keyId', k."keyId", 'isActive', c."status" = 'active') AS "item",
          last."registration" AS "last"
        ${tables} JOIN "SecureCertificate" c ON c."id" = k."certificateId"
        LEFT JOIN LATERAL (
          SELECT ${REGISTRATION} AS "registration" FROM (
            SELECT * FROM "AppleRegistration" WHERE "environmentId" = k."environmentId" ORDER BY "createdAt" DESC, "id" DESC LIMIT 1
          ) a ${OUTCOMES}
        ) last ON true
        WHERE ${filter} ${beyond} ORDER BY k."updatedAt" ${direction}, k."environmentId" ${direction} LIMIT ${input.limit + 1}`,
    ),
    queryRows<{ count: number }>(from, sql`SELECT count(*)::int AS "count" ${tables} WHERE ${filter}`),
  ]);
  const page = toPage(rows, input);
  const items = page.rows.map(({ item, last }) => ({ ...item, last: last && toRegistration(last) }));
  return { items, nextCursor: page.nextCursor, total: counted?.count ?? 0 };
}
