import "server-only";
import type { Db } from "@/lib/db/client";
import { queryRows, type Sql, sql } from "@/lib/db/query";
import { SUPER_ADMIN } from "@/lib/permissions/actor";
import { impliedScopes, SCOPES } from "@/lib/permissions/scopes";
import { permissionOfGroupSql } from "@/lib/permissions/visibility";

/** The scopes with which a user reads releases. */
const READING_SCOPES = SCOPES.filter((scope) => impliedScopes(scope).includes("release:read"));

/** A release and its place, as expressions in SQL. */
type ReleaseSql = Record<"releaseId" | "environmentId" | "appId", Sql>;

/** That the user `u` is active and may read a release by their role `ro`, in SQL. */
export function userReadsSql({ releaseId, environmentId, appId }: ReleaseSql): Sql {
  return sql`(u."status" = 'active' AND (ro."name" = ${SUPER_ADMIN} OR EXISTS (
    SELECT 1 FROM "RolePermission" p WHERE p."roleId" = u."roleId" AND p."scopes" && ${READING_SCOPES}::text[]
      AND (p."allApps" OR EXISTS (SELECT 1 FROM "RolePermissionTarget" pt WHERE pt."permissionId" = p."id"
        AND pt."appId" = ${appId} AND (pt."environmentId" IS NULL OR pt."environmentId" = ${environmentId}))
        OR ${permissionOfGroupSql(releaseId, environmentId)})
  )))`;
}

/** Why somebody who was to be told of a release is not told any more. */
export type WithheldReason = "no-access" | "pending" | "off";

/** That the tester `t` is a member of a group that the release `r` was distributed to, in SQL. @param condition on the member `m` */
const memberSql = (condition: Sql = sql`true`) => sql`
  EXISTS (SELECT 1 FROM "ReleaseTesterGroup" d JOIN "TesterGroupMember" m ON m."groupId" = d."groupId"
    WHERE d."releaseId" = r."id" AND m."testerId" = t."id" AND ${condition})`;

/**
 * The `WithheldReason` of the tester `t`, or their user `u` with the role `ro`, for the release `r` of the environment `e` and the
 * application `a`, in SQL; null if they are still to be told. Recipients are made before they are told: what they may read can change
 * until then.
 */
export const WITHHELD = sql`
  CASE
    WHEN e."status" <> 'active' OR a."status" <> 'active' OR NOT ${memberSql()} THEN 'no-access'
    WHEN t."userId" IS NULL AND t."confirmedAt" IS NULL THEN 'pending'
    WHEN t."userId" IS NOT NULL
      AND NOT ${userReadsSql({ releaseId: sql`r."id"`, environmentId: sql`e."id"`, appId: sql`a."id"` })} THEN 'no-access'
    WHEN NOT ${memberSql(sql`m."notify"`)} THEN 'off'
  END`;

/** Keeps why somebody is not told of releases any more. The rows of their mails are to be locked before. */
export async function withhold(
  tx: Db,
  testerId: string,
  releases: readonly { id: string; withheld: WithheldReason }[],
): Promise<void> {
  if (releases.length === 0) return;
  const rows = releases.map(({ id, withheld }) => ({ id, withheld }));
  await queryRows(
    tx,
    sql`
      UPDATE "ReleaseRecipient" r SET "mailDue" = false,
        "untold" = CASE WHEN r."toldAt" IS NULL THEN given."withheld"::"UntoldReason" END
      FROM json_to_recordset(${JSON.stringify(rows)}::json) AS given("id" uuid, "withheld" text)
      WHERE r."releaseId" = given."id" AND r."testerId" = ${testerId}::uuid`,
  );
}
