import "server-only";
import type { Prisma } from "@/lib/db/generated/client";
import { type Sql, sql } from "@/lib/db/query";
import type { Actor } from "./actor";
import { type HeldGrants, type Reach, reachOf } from "./reach";
import type { Scope } from "./scopes";

/** Where a caller may see environments. */
export interface Sight {
  /** Where the caller holds the scope that a list is about. */
  reached: Reach;
  /** Where the caller holds `environment:write`, and therefore sees what is inactive. */
  writable: Reach;
}

/** @param scope left out, any scope counts */
export function sightOf(actor: Actor | HeldGrants, scope?: Scope): Sight {
  return { reached: reachOf(actor, scope), writable: reachOf(actor, "environment:write") };
}

/** The conditions on an environment of which the rules below are made, in one query language. */
interface Dialect<Condition> {
  everything: Condition;
  /** The environment and its app are active. */
  active: Condition;
  inAppsOrEnvironments: (places: Exclude<Reach, "all">) => Condition;
  and: (one: Condition, other: Condition) => Condition;
  or: (one: Condition, other: Condition) => Condition;
}

/** The rules about the environments that a caller sees, in one query language. */
function rulesIn<Condition>({ everything, active, inAppsOrEnvironments, and, or }: Dialect<Condition>) {
  /** Within a reach, active or not. */
  const within = (reach: Reach) => (reach === "all" ? everything : inAppsOrEnvironments(reach));
  /** The active environments within reach, and the inactive ones that the caller can activate. */
  const visible = ({ reached, writable }: Sight) =>
    writable === "all" ? everything : or(and(active, within(reached)), within(writable));
  /** The visible environments in which the caller holds the scope itself. */
  const readable = (sight: Sight) => and(within(sight.reached), visible(sight));
  return { within, visible, readable };
}

/** Conditions for Prisma. */
export const environmentWhere = rulesIn<Prisma.EnvironmentWhereInput>({
  everything: {},
  active: { status: "active", app: { status: "active" } },
  inAppsOrEnvironments: ({ appIds, environmentIds }) => ({
    OR: [{ appId: { in: appIds } }, { id: { in: environmentIds } }],
  }),
  and: (one, other) => ({ AND: [one, other] }),
  or: (one, other) => ({ OR: [one, other] }),
});

/** Conditions in SQL on the environment `e` and, except for `within`, its app `a`. */
export const environmentSql = rulesIn<Sql>({
  everything: sql`true`,
  active: sql`(e."status" = 'active' AND a."status" = 'active')`,
  inAppsOrEnvironments: ({ appIds, environmentIds }) =>
    sql`(e."appId" = ANY(${appIds}::uuid[]) OR e."id" = ANY(${environmentIds}::uuid[]))`,
  and: (one, other) => sql`(${one} AND ${other})`,
  or: (one, other) => sql`(${one} OR ${other})`,
});

/**
 * That the release `r` was distributed to one of some groups, in an environment of that group. The one condition by which permissions
 * for groups are limited to their releases.
 */
export function distributedSql(groupIds: readonly string[]): Sql {
  return sql`EXISTS (SELECT 1 FROM "ReleaseTesterGroup" d JOIN "TesterGroup" g ON g."id" = d."groupId"
    WHERE d."releaseId" = r."id" AND d."groupId" = ANY(${groupIds}::uuid[])
      AND (g."allEnvironments" OR r."environmentId" = ANY(g."environmentIds")))`;
}

/** The groups that a release was distributed to, as an array in SQL. */
export function groupsOfReleaseSql(releaseId: Sql): Sql {
  return sql`ARRAY(SELECT d."groupId" FROM "ReleaseTesterGroup" d WHERE d."releaseId" = ${releaseId})`;
}

/** That the permission `p` is for a group that a release of an environment was distributed to, in SQL. */
export function permissionOfGroupSql(releaseId: Sql, environmentId: Sql): Sql {
  return sql`EXISTS (SELECT 1 FROM "RolePermissionGroup" pg JOIN "TesterGroup" g ON g."id" = pg."groupId"
    JOIN "ReleaseTesterGroup" d ON d."groupId" = pg."groupId" AND d."releaseId" = ${releaseId}
    WHERE pg."permissionId" = p."id" AND (g."allEnvironments" OR ${environmentId} = ANY(g."environmentIds")))`;
}

/** Whether a caller sees the app `a`, in SQL: one of its environments, or an app to which the caller may add one. */
export function visibleAppSql(sight: Sight): Sql {
  if (sight.writable === "all") return sql`true`;
  return sql`(a."id" = ANY(${sight.writable.appIds}::uuid[])
    OR EXISTS (SELECT 1 FROM "Environment" e WHERE e."appId" = a."id" AND ${environmentSql.visible(sight)}))`;
}
