import "server-only";
import type { Db } from "@/lib/db/client";
import { lockUntilCommit } from "@/lib/db/locks";
import { queryRows, sql } from "@/lib/db/query";
import { env } from "@/lib/kernel/env";
import { ApiError } from "@/lib/kernel/errors";

/** With fewer free places than this, publications in an environment wait for each other, so that its limit holds. */
const NEARLY_FULL = 1_000;

/** The number of releases of an environment with those in its bin, which triggers keep. */
async function countReleases(tx: Db, environmentId: string): Promise<number> {
  const [row] = await queryRows<{ releases: number }>(
    tx,
    sql`
      SELECT coalesce(sum("releases"), 0)::float8 AS "releases" FROM "StorageCount" WHERE "environmentId" = ${environmentId}::uuid`,
    { prepared: true },
  );
  return row?.releases ?? 0;
}

/** Serializes publications in an environment that is nearly full until the transaction ends. Taken before the locks of their bytes. */
export async function holdRoom(tx: Db, environmentId: string): Promise<void> {
  if ((await countReleases(tx, environmentId)) + NEARLY_FULL < env.MAX_RELEASES) return;
  await lockUntilCommit(tx, `releases:${environmentId}`);
}

/**
 * Refuses one more release where an environment has as many as it may have. Those in the bin count: otherwise, who publishes and
 * deletes would fill the database. Therefore, a release from the bin is never refused.
 * @throws ApiError conflict
 */
export async function requireRoom(tx: Db, environmentId: string): Promise<void> {
  if ((await countReleases(tx, environmentId)) < env.MAX_RELEASES) return;
  throw new ApiError("conflict", { detailKey: "detailReleases", params: { limit: env.MAX_RELEASES } });
}
