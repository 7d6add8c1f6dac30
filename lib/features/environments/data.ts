import "server-only";
import type { z } from "zod";
import { containsText, pageClauses, toPage } from "@/lib/api/list";
import type { Db } from "@/lib/db/client";
import type { Prisma } from "@/lib/db/generated/client";
import { type JsonRow, queryRows, type Sql, sql } from "@/lib/db/query";
import type { AppRow } from "@/lib/features/apps/data";
import type { Target } from "@/lib/permissions/authorize";
import { environmentsWithin, type Reach } from "@/lib/permissions/reach";
import type { Environment, environmentsOfAppInput } from "./schema";

export type EnvironmentRow = Prisma.EnvironmentGetPayload<object>;
export type EnvironmentWithApp = Prisma.EnvironmentGetPayload<{ include: { app: true } }>;

/** An environment's row as the API shows it. */
export function toEnvironment(row: EnvironmentRow): Environment {
  return {
    id: row.id,
    appId: row.appId,
    name: row.name,
    status: row.status,
    identifiers: row.identifiers,
    createdAt: row.createdAt.toISOString(),
  };
}

/** An environment as what a call acts on, with its rows. */
export interface EnvironmentTarget extends Target {
  environmentId: string;
  environment: EnvironmentRow;
  app: AppRow;
}

/** A loaded environment as the target of a call; it is active where both it and its app are. */
export function toEnvironmentTarget({ app, ...environment }: EnvironmentWithApp): EnvironmentTarget {
  return {
    appId: app.id,
    environmentId: environment.id,
    active: app.status === "active" && environment.status === "active",
    environment,
    app,
  };
}

/** The one environment that a condition on `e` and its app `a` names; null where there is none. */
async function readEnvironment(db: Db, condition: Sql): Promise<EnvironmentWithApp | null> {
  // A list of identifiers that was never set is NULL in the table; Prisma's own queries read it as an empty one.
  const [row] = await queryRows<EnvironmentRow & { app: JsonRow<AppRow> }>(
    db,
    sql`
      SELECT e."id", e."appId", e."name", e."status", coalesce(e."identifiers", '{}') AS "identifiers",
             e."createdAt", e."updatedAt", e."configurationVersion", to_json(a) AS "app"
      FROM "Environment" e JOIN "App" a ON a."id" = e."appId" WHERE ${condition}`,
    { prepared: true },
  );
  if (!row) return null;
  const { createdAt, updatedAt } = row.app;
  return { ...row, app: { ...row.app, createdAt: new Date(createdAt), updatedAt: new Date(updatedAt) } };
}

/** Loads an environment as the target of a call; null where there is none. */
export function environmentTarget(db: Db, id: string): Promise<EnvironmentTarget | null> {
  return environmentTargetOf(db, sql`${id}::uuid`);
}

/** As `environmentTarget`, where the id is a scalar that the same statement reads. */
export async function environmentTargetOf(db: Db, id: Sql): Promise<EnvironmentTarget | null> {
  const environment = await readEnvironment(db, sql`e."id" = ${id}`);
  return environment && toEnvironmentTarget(environment);
}

/**
 * The environment that a script means by the app's identifier and the environment's name, both without regard to case.
 * @returns null where there is none
 */
export function findEnvironmentByNames(
  db: Db,
  appIdentifier: string,
  environmentName: string,
): Promise<EnvironmentWithApp | null> {
  // Prisma compares without case by ILIKE, where `_` and `%` are wildcards; the unique indexes are on lower().
  const names = sql`lower(a."identifier") = lower(${appIdentifier}) AND lower(e."name") = lower(${environmentName})`;
  return readEnvironment(db, names);
}

async function page(db: Db, filter: Prisma.EnvironmentWhereInput, input: z.output<typeof environmentsOfAppInput>) {
  const where = {
    AND: [
      filter,
      {
        appId: input.appId,
        ...(input.status && { status: input.status }),
        ...(input.environmentId && { id: input.environmentId }),
      },
      containsText(input.search, ["name"]),
    ],
  };
  const clauses = pageClauses(input);
  const [rows, total] = await Promise.all([
    db.environment.findMany({ ...clauses, where: { AND: [where, clauses.where] } }),
    db.environment.count({ where }),
  ]);
  return { ...toPage(rows, input), total };
}

/** All environments of an app. */
export function listEnvironments(db: Db, input: z.output<typeof environmentsOfAppInput>) {
  return page(db, {}, input);
}

/**
 * The environments that a caller may see: the active ones within reach, and the others where they may be switched on
 * again.
 * @param reached where the caller holds anything at all
 * @param writable where the caller holds `environment:write`
 */
export function visibleEnvironments(reached: Reach, writable: Reach): Prisma.EnvironmentWhereInput {
  if (writable === "all") return {};
  const active: Prisma.EnvironmentWhereInput = { status: "active", app: { status: "active" } };
  return { OR: [{ AND: [active, environmentsWithin(reached)] }, environmentsWithin(writable)] };
}

/** The environments of an app that a caller may see; for the reaches, see `visibleEnvironments`. */
export function listVisibleEnvironments(
  db: Db,
  reach: { reached: Reach; writable: Reach },
  input: z.output<typeof environmentsOfAppInput>,
) {
  return page(db, visibleEnvironments(reach.reached, reach.writable), input);
}

/** The environments of some apps, by app id, each list by name. */
export async function environmentsByApp(db: Db, appIds: readonly string[]): Promise<Map<string, EnvironmentRow[]>> {
  const rows = await db.environment.findMany({
    where: { appId: { in: [...appIds] } },
    orderBy: [{ name: "asc" }, { id: "asc" }],
  });
  return Map.groupBy(rows, ({ appId }) => appId);
}

export function createEnvironment(db: Db, data: Prisma.EnvironmentUncheckedCreateInput): Promise<EnvironmentRow> {
  return db.environment.create({ data });
}

export function updateEnvironment(
  db: Db,
  id: string,
  data: Prisma.EnvironmentUncheckedUpdateInput,
): Promise<EnvironmentRow> {
  return db.environment.update({ where: { id }, data });
}
