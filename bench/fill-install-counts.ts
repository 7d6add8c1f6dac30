import type pg from "pg";

/** Days, systems and models on which visits are spread. */
const DAYS = 90;
const SYSTEMS = 15;
const MODELS = 40;
/** Visits that are generated one by one; more of them make the counts larger, as more visits on the same days and devices do. */
const MAX_GENERATED = 60_000;
/** Each visit reaches four steps. */
const STEPS = 4;

/**
 * Adds the counts that many steps of installations of a release leave behind, as the console writes them: by day, system and model, with
 * the totals.
 * @param events steps that were reached
 */
export async function fillInstallCounts(client: pg.Client, events: number, releaseId?: string): Promise<void> {
  const visits = Math.ceil(events / STEPS);
  const generated = Math.min(visits, MAX_GENERATED);
  const { rows } = await client.query<{ id: string; environmentId: string }>(
    `SELECT "id", "environmentId" FROM "Release" WHERE $1::uuid IS NULL OR "id" = $1 ORDER BY "id" LIMIT 1`,
    [releaseId ?? null],
  );
  const release = rows[0];
  if (!release) throw new Error("There is no release to count installations of. Publish one first.");
  const place = [release.environmentId, release.id];
  await client.query(
    `WITH visits AS (
       SELECT current_date - i % ${DAYS} AS "day", (CASE WHEN i % 4 = 0 THEN 'ipados' ELSE 'ios' END)::"DeviceKind" AS "os",
         (12 + (i / 7) % ${SYSTEMS})::text AS "system", 'iPhone' || (i / 11) % ${MODELS} || ',1' AS "device", $4::bigint AS "n"
       FROM generate_series(1, $3::int) i
     )
     INSERT INTO "InstallCount" ("environmentId", "releaseId", "day", "os", "system", "device", "opened", "tapped", "manifest", "begun",
       "complete", "icons", "unseen")
     SELECT $1::uuid, $2::uuid, "day", "os", "system", "device", sum("n"), sum("n"), 0, sum("n"), sum("n"), 0, 0 FROM visits
     GROUP BY GROUPING SETS (("day", "os", "system", "device"), ("day"), ("day", "os", "system"), ("day", "device"), ("os", "system"),
       ("device"))`,
    [...place, generated, Math.ceil(visits / generated)],
  );
  await client.query(
    `INSERT INTO "InstallStop" ("environmentId", "releaseId", "day", "step", "codes", "count")
     SELECT $1::uuid, $2::uuid, current_date - d, step, codes, $3::bigint
     FROM generate_series(0, ${DAYS}) d, unnest(ARRAY['opened', 'tapped', 'begun']) step,
       (VALUES (ARRAY[]::text[]), (ARRAY['device_not_enrolled']), (ARRAY['system_too_old'])) c(codes)
     UNION ALL
     SELECT $1::uuid, $2::uuid, NULL, step, codes, $3::bigint * (${DAYS} + 1)
     FROM unnest(ARRAY['opened', 'tapped', 'begun']) step,
       (VALUES (ARRAY[]::text[]), (ARRAY['device_not_enrolled']), (ARRAY['system_too_old'])) c(codes)`,
    [...place, Math.ceil(events / 10_000)],
  );
}
