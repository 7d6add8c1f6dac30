import "server-only";
import { z } from "zod";
import {
  containsText,
  cursorAfter,
  pageClauses,
  pagePosition,
  type SortFields,
  sortField,
  toPage,
} from "@/lib/api/list";
import type { Db } from "@/lib/db/client";
import { type Prisma, Status } from "@/lib/db/generated/client";
import { type JsonRow, queryRows, type Sql, sql } from "@/lib/db/query";
import type { AppRow } from "@/lib/features/apps/data";
import { invalidField } from "@/lib/kernel/errors";
import type { Actor, TokenActor } from "@/lib/permissions/actor";
import type { Target } from "@/lib/permissions/authorize";
import { environmentWhere, type Sight } from "@/lib/permissions/visibility";
import type { Environment, environmentsOfAppInput, getAuthorizedEnvironmentsInput } from "./schema";

type EnvironmentRow = Prisma.EnvironmentGetPayload<object>;
type EnvironmentWithApp = Prisma.EnvironmentGetPayload<{ include: { app: true } }>;

/** An environment's row as the API shows it. */
export function toEnvironment(row: EnvironmentRow): Environment {
  return {
    id: row.id,
    appId: row.appId,
    name: row.name,
    status: row.status,
    identifiers: row.identifiers,
    position: row.position,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

/** An environment as the target of a call. */
export interface EnvironmentPlace extends Target {
  environmentId: string;
}

/** An environment as the target of a call, with its rows. */
export interface EnvironmentTarget extends EnvironmentPlace {
  environment: EnvironmentRow;
  app: AppRow;
}

/** An environment as the target of a call, active if both it and its app are. */
export function toEnvironmentTarget({ app, ...environment }: EnvironmentWithApp): EnvironmentTarget {
  return {
    appId: app.id,
    environmentId: environment.id,
    active: app.status === "active" && environment.status === "active",
    environment,
    app,
  };
}

/** The environment that matches a condition on `e` and its app `a`, or null. */
async function readEnvironment(db: Db, condition: Sql): Promise<EnvironmentWithApp | null> {
  // Identifiers that were never set are NULL in the table; Prisma reads them as an empty list.
  const [row] = await queryRows<EnvironmentRow & { app: JsonRow<AppRow> }>(
    db,
    sql`
      SELECT e."id", e."appId", e."name", e."status", coalesce(e."identifiers", '{}') AS "identifiers",
             e."position", e."createdAt", e."updatedAt", e."configurationVersion", to_json(a) AS "app"
      FROM "Environment" e JOIN "App" a ON a."id" = e."appId" WHERE ${condition}`,
    { prepared: true },
  );
  if (!row) return null;
  const { createdAt, updatedAt } = row.app;
  return { ...row, app: { ...row.app, createdAt: new Date(createdAt), updatedAt: new Date(updatedAt) } };
}

/** Loads an environment as the target of a call; null if it does not exist. */
export function environmentTarget(db: Db, id: string): Promise<EnvironmentTarget | null> {
  return environmentTargetOf(db, sql`${id}::uuid`);
}

/** The name of an environment, or null if it does not exist. */
export async function environmentName(db: Db, id: string): Promise<string | null> {
  const environment = await db.environment.findUnique({ where: { id }, select: { name: true } });
  return environment?.name ?? null;
}

/** The environment of an API token as the target of a call, without its rows: they were read with the token. */
export function tokenTarget({ appId, environmentId, isEnvironmentActive }: TokenActor): EnvironmentPlace {
  return { appId, environmentId, active: isEnvironmentActive };
}

/** Like `environmentTarget`, for queries that do not need its rows: costs a token of the environment no statement. */
export async function environmentPlace(db: Db, actor: Actor, id: string): Promise<EnvironmentPlace | null> {
  const isOwn = actor.kind === "token" && actor.environmentId === id;
  return isOwn ? tokenTarget(actor) : environmentTarget(db, id);
}

/** Like `environmentTarget`; the ID is a scalar that the same statement reads. */
export async function environmentTargetOf(db: Db, id: Sql): Promise<EnvironmentTarget | null> {
  const environment = await readEnvironment(db, sql`e."id" = ${id}`);
  return environment && toEnvironmentTarget(environment);
}

/**
 * Finds an environment by the app's identifier and its own name, ignoring case.
 * @returns null if it does not exist
 */
export function findEnvironmentByNames(
  db: Db,
  appIdentifier: string,
  environmentName: string,
): Promise<EnvironmentWithApp | null> {
  // Prisma ignores case with ILIKE, where `_` and `%` are wildcards. The unique indexes use lower().
  const names = sql`lower(a."identifier") = lower(${appIdentifier})
    AND lower(e."name" COLLATE "default") = lower(${environmentName})`;
  return readEnvironment(db, names);
}

/** The order of an app's environments. */
const IN_ORDER = [{ position: "asc" }, { id: "asc" }] as const satisfies Prisma.EnvironmentOrderByWithRelationInput[];

const SORTS: SortFields = { status: { values: Object.values(Status) }, position: { integer: true } };

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
  const clauses = pageClauses(input, undefined, SORTS);
  const [rows, total] = await Promise.all([
    db.environment.findMany({ ...clauses, where: { AND: [where, clauses.where] } }),
    db.environment.count({ where }),
  ]);
  return { ...toPage(rows, input, SORTS), total };
}

/** All environments of an app. */
export function listEnvironments(db: Db, input: z.output<typeof environmentsOfAppInput>) {
  return page(db, {}, input);
}

/** The environments of an app that a caller can see. */
export function listVisibleEnvironments(db: Db, sight: Sight, input: z.output<typeof environmentsOfAppInput>) {
  return page(db, environmentWhere.visible(sight), input);
}

/** The name and ID of an app and the position in it, as a cursor has them. */
const placeSchema = z.tuple([z.string(), z.uuid(), z.int32()]);

function placeOf(value: unknown): z.output<typeof placeSchema> {
  try {
    return placeSchema.parse(JSON.parse(String(value)));
  } catch {
    throw invalidField("cursor", "cursor");
  }
}

/** The clauses of a page in the order of (app's name, app, position, id). */
function pageByApp(input: { sort: string; cursor?: string; limit: number }) {
  const { descending, after } = pagePosition(input);
  const direction = descending ? "desc" : "asc";
  const beyond = descending ? "lt" : "gt";
  const orderBy: Prisma.EnvironmentOrderByWithRelationInput[] = [
    { app: { name: direction } },
    { appId: direction },
    { position: direction },
    { id: direction },
  ];
  if (after === null) return { where: {}, orderBy, take: input.limit + 1 };
  const [name, appId, position] = placeOf(after.value);
  const where: Prisma.EnvironmentWhereInput = {
    OR: [
      { app: { name: { [beyond]: name } } },
      { app: { name }, appId: { [beyond]: appId } },
      { appId, position: { [beyond]: position } },
      { appId, position, id: { [beyond]: after.id } },
    ],
  };
  return { where, orderBy, take: input.limit + 1 };
}

/** The environments of all apps that a caller can see and that a search finds. */
export async function searchVisibleEnvironments(
  db: Db,
  sight: Sight,
  input: z.output<typeof getAuthorizedEnvironmentsInput>,
) {
  const words = input.search?.split(/\s+/).filter((word) => word !== "") ?? [];
  const where: Prisma.EnvironmentWhereInput = {
    AND: [
      environmentWhere.visible(sight),
      ...words.map((word) => ({ OR: [containsText(word, ["name"]), { app: containsText(word, ["name"]) }] })),
    ],
  };
  const byApp = sortField(input) === "position";
  const clauses = byApp ? pageByApp(input) : pageClauses(input, undefined, SORTS);
  const [rows, total] = await Promise.all([
    db.environment.findMany({ ...clauses, where: { AND: [where, clauses.where] }, include: { app: true } }),
    db.environment.count({ where }),
  ]);
  const page = toPage(rows, input, SORTS);
  const last = page.rows.at(-1);
  if (!byApp || page.nextCursor === null || !last) return { ...page, total };
  const position = JSON.stringify([last.app.name, last.appId, last.position]);
  return { rows: page.rows, nextCursor: cursorAfter(input.sort, { id: last.id, position }), total };
}

/** The environments of some apps, by app id, each list in its order. */
export async function environmentsByApp(db: Db, appIds: readonly string[]): Promise<Map<string, EnvironmentRow[]>> {
  const rows = await db.environment.findMany({
    where: { appId: { in: [...appIds] } },
    orderBy: [...IN_ORDER],
  });
  return Map.groupBy(rows, ({ appId }) => appId);
}

/** Apps that one installer can belong to: their identifiers are unique, those of environments are few. */
const MAX_ACCEPTING_APPS = 20;

/** The active apps that accept an identifier, each with the active environments that accept it, in their order. */
export async function findAcceptingApps(
  db: Db,
  identifier: string,
): Promise<{ app: AppRow; environments: EnvironmentRow[] }[]> {
  const apps = await db.app.findMany({
    where: {
      status: "active",
      OR: [{ identifier }, { environments: { some: { status: "active", identifiers: { has: identifier } } } }],
    },
    include: { environments: { where: { status: "active" }, orderBy: [...IN_ORDER] } },
    orderBy: [{ name: "asc" }, { id: "asc" }],
    take: MAX_ACCEPTING_APPS,
  });
  return apps.map(({ environments, ...app }) => ({
    app,
    environments: environments.filter(
      ({ identifiers }) => app.identifier === identifier || identifiers.includes(identifier),
    ),
  }));
}

/** The app with an identifier, ignoring case, as in the unique index; null if there is none. */
export async function findAppWithIdentifier(
  db: Db,
  identifier: string,
): Promise<{ id: string; name: string; status: Status } | null> {
  const [app] = await queryRows<{ id: string; name: string; status: Status }>(
    db,
    sql`SELECT "id", "name", "status" FROM "App" WHERE lower("identifier") = lower(${identifier})`,
    { prepared: true },
  );
  return app ?? null;
}

/** Writes the positions of environments. */
export async function placeEnvironments(tx: Db, rows: readonly { id: string; position: number }[]): Promise<void> {
  await queryRows(
    tx,
    sql`
      UPDATE "Environment" e SET "position" = placed."position"
      FROM unnest(${rows.map(({ id }) => id)}::uuid[], ${rows.map(({ position }) => position)}::int[])
        AS placed("id", "position")
      WHERE e."id" = placed."id"`,
  );
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
