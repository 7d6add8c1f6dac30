import "server-only";
import type { Db } from "@/lib/db/client";
import type { Prisma } from "@/lib/db/generated/client";
import { type Sql, sql } from "@/lib/db/query";
import type { Actor } from "@/lib/permissions/actor";
import { groupsFor, scopesFor, type Target } from "@/lib/permissions/authorize";
import type { HeldGrants } from "@/lib/permissions/reach";
import type { Scope } from "@/lib/permissions/scopes";
import { distributedSql, environmentWhere, type Sight, sightOf } from "@/lib/permissions/visibility";

/** An environment of which a caller reads releases. */
export interface ReadPlace {
  id: string;
  appId: string;
  /** Only the releases that were distributed to one of these groups; left out, all. */
  groupIds?: readonly string[];
}

/** A place without its app. */
export type ReadEnvironment = Omit<ReadPlace, "appId">;

/** The limits of some places as conditions on the release `r`, which is in one of them: none where all of them are read whole. */
export function limitsOf(places: readonly ReadEnvironment[]): Sql[] {
  const limited = places.flatMap(({ groupIds }) => (groupIds ? [groupIds] : []));
  if (limited.length === 0) return [];
  const whole = places.filter(({ groupIds }) => groupIds === undefined).map(({ id }) => id);
  return [sql`(r."environmentId" = ANY(${whole}::uuid[]) OR ${distributedSql([...new Set(limited.flat())])})`];
}

/** The environments whose releases a caller reads, all of them, among those that a condition selects. */
export function readableEnvironments(
  db: Db,
  sight: Sight,
  where: Prisma.EnvironmentWhereInput,
): Promise<{ id: string; appId: string }[]> {
  return db.environment.findMany({
    where: { AND: [where, environmentWhere.readable(sight)] },
    select: { id: true, appId: true },
  });
}

/** The IDs of the target's environment, or of those of its application in which the caller holds a scope. */
export async function environmentsWithin(
  db: Db,
  actor: Actor,
  { appId, environmentId }: Pick<Target, "appId" | "environmentId">,
  scope: Scope,
): Promise<string[]> {
  if (environmentId !== null) return [environmentId];
  return (await readableEnvironments(db, sightOf(actor, scope), { appId })).map(({ id }) => id);
}

/** The environments of which a caller reads releases, among those that a condition selects: also those of the caller's groups. */
export async function readPlaces(
  db: Db,
  actor: Actor | HeldGrants,
  where: Prisma.EnvironmentWhereInput,
): Promise<ReadPlace[]> {
  const whole = await readableEnvironments(db, sightOf(actor, "release:read"), where);
  const groups = groupsFor(actor);
  if (groups.length === 0) return whole;
  const limited = await db.environment.findMany({
    where: {
      AND: [
        where,
        { status: "active", app: { status: "active" }, id: { notIn: whole.map(({ id }) => id) } },
        {
          OR: groups.map(({ appId, environmentIds }) => ({
            appId,
            ...(environmentIds !== "all" && { id: { in: [...environmentIds] } }),
          })),
        },
      ],
    },
    select: { id: true, appId: true },
  });
  return [
    ...whole,
    ...limited.map(({ id, appId }) => ({
      id,
      appId,
      groupIds: groupsFor(actor, { appId, environmentId: id }).map(({ groupId }) => groupId),
    })),
  ];
}

/** The environment of a target, whole or with the caller's groups. */
export function readPlaceOf(
  actor: Actor,
  { appId, environmentId }: { appId: string; environmentId: string },
): ReadPlace {
  const place = { appId, environmentId };
  if (scopesFor(actor, place).includes("release:read")) return { id: environmentId, appId };
  return { id: environmentId, appId, groupIds: groupsFor(actor, place).map(({ groupId }) => groupId) };
}

/** The target's environment, or the environments of its app, as far as the caller reads their releases. */
export async function placesToRead(
  db: Db,
  actor: Actor,
  { appId, environmentId }: Pick<Target, "appId" | "environmentId">,
): Promise<ReadPlace[]> {
  return environmentId === null ? readPlaces(db, actor, { appId }) : [readPlaceOf(actor, { appId, environmentId })];
}
