import "server-only";
import type { z } from "zod";
import { cappedCount, FILTERED_COUNT_CAP, pagePosition, rowNumber, toPage } from "@/lib/api/list";
import type { Db } from "@/lib/db/client";
import { join, queryRows, raw, sql } from "@/lib/db/query";
import { type ConfigurationVersion, type configurationVersionsInput, ENTRY_KINDS, MAX_SHOWN_CHANGES } from "../schema";
import { authorJson } from "./entries";

/** A version's row as it is listed; `version` is its number as a text, as cursors have it. */
export type VersionRow = Omit<ConfigurationVersion, "version" | "at"> & { id: number; version: string; at: Date };

/** A version's row as the API shows it. */
export function toConfigurationVersion({ id, at, ...row }: VersionRow): ConfigurationVersion {
  return { ...row, version: id, at: at.toISOString() };
}

/**
 * One page of the versions of an environment.
 * @param latest the number of the latest one, which is how many there are
 */
export async function listVersions(db: Db, input: z.output<typeof configurationVersionsInput>, latest: number) {
  const { environmentId, key } = input;
  const { descending, after } = pagePosition(input, [], rowNumber);
  const [direction, sign] = descending ? ["DESC", "<"] : ["ASC", ">"];
  // By kind, because the index of an entry's history begins with it.
  const ofKey = sql`
    SELECT c."version" FROM unnest(${[...ENTRY_KINDS]}::text[]) AS k("kind") JOIN "ConfigurationChange" c
      ON c."environmentId" = ${environmentId}::uuid AND c."kind" = k."kind" AND c."key" = ${key}`;
  const wanted = [
    sql`v."environmentId" = ${environmentId}::uuid`,
    ...(key === undefined ? [] : [sql`v."number" IN (${ofKey})`]),
    ...(after ? [sql`v."number" ${raw(sign)} ${after.id}::int`] : []),
  ];
  const [rows, total] = await Promise.all([
    queryRows<VersionRow>(
      db,
      sql`
        SELECT v."number" AS "id", v."number"::text AS "version", v."at", v."changeCount", v."restoredFrom",
          ${authorJson(`v."userId"`, `v."tokenId"`)} AS "by",
          (
            SELECT json_agg(shown) FROM (
              SELECT c."kind", c."key", c."name", c."action" FROM "ConfigurationChange" c
              WHERE c."environmentId" = v."environmentId" AND c."version" = v."number"
              ORDER BY c."kind", c."key" LIMIT ${MAX_SHOWN_CHANGES}
            ) shown
          ) AS "changes"
        FROM "ConfigurationVersion" v WHERE ${join(wanted, " AND ")}
        ORDER BY v."number" ${raw(direction)} LIMIT ${input.limit + 1}`,
    ),
    key === undefined
      ? { total: latest }
      : cappedCount(FILTERED_COUNT_CAP, async (take) => {
          const [row] = await queryRows<{ count: number }>(
            db,
            sql`SELECT count(DISTINCT "version")::int AS "count" FROM (${ofKey} LIMIT ${take}) counted`,
          );
          return row?.count ?? 0;
        }),
  ]);
  return { ...toPage(rows, input), ...total };
}
