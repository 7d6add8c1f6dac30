import "server-only";
import { join, type Sql, sql } from "@/lib/db/query";

const NO_PLACE = sql`NULL::uuid AS "appId", NULL::uuid AS "environmentId"`;
const named = (from: Sql, name: Sql) => (id: Sql) =>
  sql`SELECT (${name})::text AS "name", ${NO_PLACE} FROM ${from} WHERE o."id" = ${id}`;

/** An environment, under its own ID. */
const environment = (id: Sql) =>
  sql`SELECT e."name"::text AS "name", e."appId", e."id" AS "environmentId" FROM "Environment" e WHERE e."id" = ${id}`;

/** An object of an environment; the reveal of all entries of an environment has the environment's ID. */
const inEnvironment = (from: Sql, name: Sql) => (id: Sql) =>
  sql`
  SELECT (${name})::text AS "name", e."appId", e."id" AS "environmentId"
  FROM ${from} JOIN "Environment" e ON e."id" = o."environmentId" WHERE o."id" = ${id}
  UNION ALL ${environment(id)}`;

const email = named(sql`"User" o`, sql`o."email"`);

const RELEASE_NAME = sql`p."name" || ' ' || o."version" || ' (' || o."buildNumber" || ')'`;

/** The releases that a bisection began with. */
const BISECT_NAME = sql`o."answers"->0->>'version' || ' (' || (o."answers"->0->>'buildNumber') || ') – '
  || (o."answers"->1->>'version') || ' (' || (o."answers"->1->>'buildNumber') || ')'`;

/** How the object of an audit record is found, by the record's table: its name and the place that it belongs to. */
export const OBJECTS: Readonly<Record<string, (id: Sql) => Sql>> = {
  App: (id) =>
    sql`SELECT o."name"::text AS "name", o."id" AS "appId", NULL::uuid AS "environmentId" FROM "App" o WHERE o."id" = ${id}`,
  Environment: environment,
  Release: (id) => sql`
    ${inEnvironment(sql`"Release" o JOIN "Platform" p ON p."id" = o."platformId"`, RELEASE_NAME)(id)}
    UNION ALL ${inEnvironment(sql`"BinnedRelease" o JOIN "Platform" p ON p."id" = o."platformId"`, RELEASE_NAME)(id)}`,
  Feedback: inEnvironment(sql`"Feedback" o`, sql`o."version" || ' (' || o."buildNumber" || ')'`),
  DevVariable: inEnvironment(sql`"DevVariable" o`, sql`o."key"`),
  SecureVariable: inEnvironment(sql`"SecureVariable" o`, sql`o."key"`),
  SecureCertificate: inEnvironment(sql`"SecureCertificate" o`, sql`o."key"`),
  ConfigurationVersion: environment,
  Retention: environment,
  EnvironmentRules: environment,
  User: email,
  TwoFactor: email,
  Role: named(sql`"Role" o`, sql`o."name"`),
  RolePermission: named(sql`"RolePermission" o JOIN "Role" r ON r."id" = o."roleId"`, sql`r."name"`),
  Platform: named(sql`"Platform" o`, sql`o."name"`),
  ApiToken: (id) =>
    sql`SELECT o."name"::text AS "name", o."appId", o."environmentId" FROM "ApiToken" o WHERE o."id" = ${id}`,
  TesterGroup: (id) =>
    sql`SELECT o."name"::text AS "name", o."appId", NULL::uuid AS "environmentId" FROM "TesterGroup" o WHERE o."id" = ${id}`,
  ShareLink: inEnvironment(sql`"ShareLink" o`, sql`o."name"`),
  Webhook: named(sql`"Webhook" o`, sql`o."name"`),
  Device: named(sql`"Device" o`, sql`o."name"`),
  Bisect: inEnvironment(sql`"Bisect" o`, BISECT_NAME),
  ReleaseFile: (id) => sql`
    SELECT o."name"::text AS "name", e."appId", e."id" AS "environmentId" FROM "ReleaseFile" o
    JOIN "Release" r ON r."id" = o."releaseId" JOIN "Environment" e ON e."id" = r."environmentId" WHERE o."id" = ${id}`,
  WebhookDelivery: named(sql`"WebhookDelivery" o JOIN "Webhook" w ON w."id" = o."webhookId"`, sql`w."name"`),
};

const FULL_NAME = sql`nullif(trim(o."firstNames" || ' ' || o."lastNames"), '')`;

const person = named(sql`"User" o`, sql`coalesce(${FULL_NAME} || ' (' || o."email" || ')', o."email")`);

/**
 * How records name their objects: as `OBJECTS`, and people by their names and e-mail. The records of failed sign-ins, second
 * factors and recovery codes have the ID of the person.
 */
const NAMED: typeof OBJECTS = {
  ...OBJECTS,
  User: person,
  Session: person,
  TwoFactor: person,
  RecoveryCode: person,
};

/** How many tables a statement that writes a record can read. Each makes it start later, and each other set is another statement. */
const TABLES_PER_STATEMENT = 6;

/** The tables whose objects are named by the same statement as those of this one; none if its objects have no names. */
function tablesBeside(table: string): string[] {
  const tables = Object.keys(NAMED);
  if (!Object.hasOwn(NAMED, table)) return [];
  const first = Math.floor(tables.indexOf(table) / TABLES_PER_STATEMENT) * TABLES_PER_STATEMENT;
  return tables.slice(first, first + TABLES_PER_STATEMENT);
}

/** The object of a record that is written, as one row or none. Only the branch of its table reads anything. */
function namedObject(table: string, given: { table: Sql; id: Sql }): Sql {
  const branches = tablesBeside(table).map(
    (name) => sql`SELECT found.* FROM (${NAMED[name]?.(given.id)}) found WHERE ${given.table} = ${name}`,
  );
  if (branches.length === 0) return sql`SELECT NULL::text AS "name", ${NO_PLACE} WHERE false`;
  return sql`SELECT o."name", o."appId", o."environmentId" FROM (${join(branches, " UNION ALL ")}) o LIMIT 1`;
}

/**
 * The names of a record that is written, as one JSON object: who acts (`actor`, and `actorEmail` if that is another text),
 * the object (`record`) and the place (`app`, `appId`, `environment`, `environmentId`). What is not known is left out.
 * @param record.subject the ID of the object, if it is a UUID
 * @param record.name the object's name as the changes tell it. It is used if the object was deleted, of a release only if no
 *   earlier record has a name, because the earlier one tells the platform too
 * @param record.title the object's name where the record is about more than one object; null otherwise
 * @param record.appId and `environmentId`: the place, if the object does not tell it
 */
export function recordNames(record: {
  userId: string | null;
  tokenId: string | null;
  table: string;
  subject: string | null;
  name: string | null;
  title: string | null;
  appId: string | null;
  environmentId: string | null;
}): Sql {
  const subject = sql`given."subject"`;
  // With OFFSET 0, the values are not constants to the planner, so the plan of the prepared statement fits all tables and is kept.
  return sql`
    SELECT jsonb_strip_nulls(jsonb_build_object(
      'actor', coalesce(u."fullName", u."email", t."name"),
      'actorEmail', CASE WHEN u."fullName" IS NOT NULL THEN u."email" END,
      'record', coalesce(given."title", object."name", CASE WHEN given."table" = 'Release' THEN coalesce(last."name", given."name")
        ELSE coalesce(given."name", last."name") END),
      'appId', a."id", 'app', a."name", 'environmentId', e."id", 'environment', e."name"
    )) AS "names"
    FROM (SELECT ${record.userId}::uuid AS "userId", ${record.tokenId}::uuid AS "tokenId", ${record.table}::text AS "table",
        ${record.subject}::uuid AS "subject", ${record.name}::text AS "name", ${record.title}::text AS "title",
        ${record.appId}::uuid AS "appId", ${record.environmentId}::uuid AS "environmentId" OFFSET 0) given
      LEFT JOIN LATERAL (SELECT ${FULL_NAME} AS "fullName", o."email" FROM "User" o WHERE o."id" = given."userId") u ON true
      LEFT JOIN "ApiToken" t ON t."id" = given."tokenId"
      LEFT JOIN LATERAL (${namedObject(record.table, { table: sql`given."table"`, id: subject })}) object ON true
      LEFT JOIN LATERAL (
        SELECT n."name" FROM "AuditName" n WHERE n."subjectId" = ${subject} ORDER BY n."recordId" DESC LIMIT 1
      ) last ON object."name" IS NULL
      LEFT JOIN "Environment" e ON e."id" = coalesce(object."environmentId", given."environmentId")
      LEFT JOIN "App" a ON a."id" = coalesce(e."appId", object."appId", given."appId")`;
}
