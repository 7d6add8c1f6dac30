import { type Operation, pathOf } from "@/lib/api/operation";
import { route } from "@/lib/api/route";
import { createSession } from "@/lib/auth/sessions";
import { databasePool, db } from "@/lib/db/client";
import { queryRows, sql } from "@/lib/db/query";
import { cookieName } from "@/lib/http/cookies";
import { toResponse } from "@/lib/http/reply";
import { hashToken, newApiToken } from "@/lib/kernel/crypto/tokens";
import { env } from "@/lib/kernel/env";
import { newId } from "@/lib/kernel/ids";
import { DAY_MS } from "@/lib/kernel/time";
import { SUPER_ADMIN } from "@/lib/permissions/actor";
import type { Scope } from "@/lib/permissions/scopes";

/** The headers with which a test authenticates a request. */
export interface Caller {
  headers: Record<string, string>;
}

export const ANONYMOUS: Caller = { headers: {} };

export interface TestUser extends Caller {
  userId: string;
  roleId: string;
  sessionId: string;
  email: string;
}

/** A permission for a test role; without `apps`, it covers all. */
export interface TestGrant {
  scopes: Scope[];
  apps?: { appId: string; environmentIds?: string[] }[];
}

/** A user of a role of their own has its permissions as of the same statement: one each, with a table of the places that it covers. */
const insertUser = (user: {
  id: string;
  roleId: string;
  email: string;
  admin: boolean;
  status: "active" | "inactive";
  passwordHash: string | null;
  permissions: string;
  targets: string;
  now: Date;
}) => sql`
  WITH "made" AS (
    INSERT INTO "Role" ("id", "name", "createdAt", "updatedAt")
    SELECT ${user.roleId}::uuid, 'role ' || ${user.roleId}::text, ${user.now}::timestamptz, ${user.now}::timestamptz
    WHERE NOT ${user.admin}::boolean RETURNING "id"
  ), "role" AS (
    SELECT "id" FROM "made" UNION ALL SELECT "id" FROM "Role" WHERE ${user.admin}::boolean AND "name" = ${SUPER_ADMIN}
  ), "permission" AS (
    INSERT INTO "RolePermission" ("id", "roleId", "scopes", "allApps", "createdAt", "updatedAt")
    SELECT p."id", "role"."id", p."scopes", p."allApps", ${user.now}::timestamptz, ${user.now}::timestamptz
    FROM "role", jsonb_to_recordset(${user.permissions}::jsonb) p("id" uuid, "scopes" text[], "allApps" boolean)
  ), "target" AS (
    INSERT INTO "RolePermissionTarget" ("id", "permissionId", "appId", "environmentId")
    SELECT * FROM jsonb_to_recordset(${user.targets}::jsonb)
      t("id" uuid, "permissionId" uuid, "appId" uuid, "environmentId" uuid)
  )
  INSERT INTO "User" ("id", "firstNames", "lastNames", "email", "roleId", "provider", "status", "passwordHash", "createdAt", "updatedAt")
  SELECT ${user.id}::uuid, 'Ada', 'Lovelace', ${user.email}, "role"."id", 'email', ${user.status}::"Status", ${user.passwordHash},
    ${user.now}::timestamptz, ${user.now}::timestamptz
  FROM "role" RETURNING "roleId"`;

/**
 * Creates a user with a session, in the SUPER_ADMIN role or in a new role with the given permissions. In one statement: the test of
 * all operations with all kinds of callers makes thousands of them, and Prisma takes five times as long.
 */
export async function aUser(
  options: { admin?: boolean; grants?: TestGrant[]; status?: "active" | "inactive"; passwordHash?: string } = {},
): Promise<TestUser> {
  const { admin = false, grants = [], status = "active", passwordHash = null } = options;
  const id = newId();
  const email = `${id}@example.test`;
  const permissions = grants.map((grant) => ({ ...permissionOf(grant), id: newId() }));
  const targets = permissions.flatMap((permission) =>
    permission.targets.map((target) => ({ ...target, permissionId: permission.id })),
  );
  const statement = insertUser({
    id,
    roleId: newId(),
    email,
    admin,
    status,
    passwordHash,
    permissions: JSON.stringify(permissions),
    targets: JSON.stringify(targets),
    now: new Date(),
  });
  const [user] = await queryRows<{ roleId: string }>(db, statement, { prepared: true });
  if (!user) throw new Error("there is no role of administrators");
  const session = await aSession(id);
  return {
    userId: id,
    roleId: user.roleId,
    sessionId: session.sessionId,
    email,
    headers: cookieHeaders(session.token),
  };
}

/** Begins a session of a user. */
export function aSession(userId: string): Promise<{ sessionId: string; token: string }> {
  return createSession(db, { userId, method: "password", now: new Date(), ip: null, userAgent: null });
}

/** Creates a role without permissions. @returns its ID */
export async function aRole(): Promise<string> {
  const id = newId();
  await db.role.create({ data: { id, name: `role ${id}` } });
  return id;
}

const permissionOf = (grant: TestGrant) => ({
  scopes: grant.scopes,
  allApps: grant.apps === undefined,
  targets: (grant.apps ?? []).flatMap(({ appId, environmentIds }) =>
    (environmentIds ?? [null]).map((environmentId) => ({ id: newId(), appId, environmentId })),
  ),
});

/** Adds a permission to a role. */
export async function grantTo(roleId: string, grant: TestGrant): Promise<void> {
  const { targets, ...permission } = permissionOf(grant);
  await db.rolePermission.create({ data: { id: newId(), roleId, ...permission, targets: { create: targets } } });
}

/** Returns the headers of a request from a page of the console with a session. */
export function cookieHeaders(token: string): Record<string, string> {
  return { cookie: `${cookieName("slipway-session")}=${token}`, origin: env.APP_URL };
}

/** Returns the session in the Set-Cookie header of a response. */
export function sessionOf(headers: Headers): Caller {
  const cookie = headers.get("set-cookie")?.split(";")[0] as string;
  return { headers: { cookie, origin: env.APP_URL } };
}

/** Creates an API token for an environment. */
export async function aToken(options: {
  appId: string;
  environmentId: string;
  scopes?: Scope[];
  identifiers?: string[];
  validUntil?: Date;
}): Promise<Caller & { tokenId: string; token: string }> {
  const token = newApiToken();
  const tokenId = newId();
  const now = new Date();
  await queryRows(
    db,
    sql`
    INSERT INTO "ApiToken" ("id", "name", "appId", "environmentId", "identifiers", "scopes", "prefix", "hash", "validUntil", "createdAt")
    VALUES (${tokenId}::uuid, 'CI', ${options.appId}::uuid, ${options.environmentId}::uuid,
      ${options.identifiers ?? ["server"]}::text[], ${options.scopes ?? ["release:create", "release:download"]}::text[],
      ${token.slice(0, 12)}, ${hashToken(token)}, ${options.validUntil ?? new Date(now.getTime() + DAY_MS)}::timestamptz, ${now}::timestamptz)`,
    { prepared: true },
  );
  return { tokenId, token, headers: { authorization: `Bearer ${token}` } };
}

/** Inserts an application with environments. */
export async function anApp(
  options: {
    identifier?: string;
    name?: string;
    status?: "active" | "inactive";
    environments?: { name: string; status?: "active" | "inactive"; identifiers?: string[] }[];
  } = {},
): Promise<{ appId: string; identifier: string; name: string; environmentIds: string[] }> {
  const appId = newId();
  const identifier = options.identifier ?? `com.example.a${appId.replaceAll("-", "")}`;
  const name = options.name ?? `App ${appId.slice(-6)}`;
  const environments = (options.environments ?? [{ name: "Testing" }]).map((environment) => ({
    id: newId(),
    name: environment.name,
    status: environment.status ?? "active",
    identifiers: environment.identifiers ?? [],
  }));
  const [now, status] = [new Date(), options.status ?? "active"];
  // As `aUser`: nearly every test needs an application.
  await queryRows(
    db,
    sql`
    INSERT INTO "App" ("id", "name", "identifier", "status", "createdAt", "updatedAt")
    VALUES (${appId}::uuid, ${name}, ${identifier}, ${status}::"Status", ${now}::timestamptz, ${now}::timestamptz)`,
    { prepared: true },
  );
  await queryRows(
    db,
    sql`
    INSERT INTO "Environment" ("id", "appId", "name", "status", "identifiers", "createdAt", "updatedAt")
    SELECT e."id", ${appId}::uuid, e."name", e."status", e."identifiers", ${now}::timestamptz, ${now}::timestamptz
    FROM jsonb_to_recordset(${JSON.stringify(environments)}::jsonb)
      e("id" uuid, "name" text, "status" "Status", "identifiers" text[])`,
    { prepared: true },
  );
  const environmentIds = environments.map(({ id }) => id);
  return { appId, identifier, name, environmentIds };
}

/** A response with its parsed body. */
export interface Answer {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads bodies untyped
  body: any;
}

/**
 * Sends a request to an operation's HTTP route.
 * @param input query parameters for a query, a JSON body for a command; a FormData or a string is sent unchanged
 */
export async function send(
  operation: Operation,
  caller: Caller,
  input: Record<string, unknown> | FormData | string = {},
  options: { method?: string; headers?: Record<string, string> } = {},
): Promise<Answer> {
  const response = await sendRaw(operation, caller, input, options);
  const text = await response.text();
  const json = /[/+]json\b/.test(response.headers.get("content-type") ?? "");
  return { status: response.status, headers: response.headers, body: json ? JSON.parse(text) : text };
}

/** Like `send`, but returns the response without reading its body. */
export async function sendRaw(
  operation: Operation,
  caller: Caller,
  input: Record<string, unknown> | FormData | string = {},
  options: { method?: string; headers?: Record<string, string>; body?: BodyInit } = {},
): Promise<Response> {
  const url = new URL(pathOf(operation), env.APP_URL);
  const method = options.method ?? operation.method;
  const headers = new Headers({ "accept-language": "en", host: url.host, ...caller.headers, ...options.headers });
  let body: BodyInit | undefined = options.body;
  if (operation.method !== "POST" && typeof input === "object" && !(input instanceof FormData)) {
    for (const [name, value] of Object.entries(input)) {
      for (const one of Array.isArray(value) ? value : [value]) url.searchParams.append(name, String(one));
    }
  } else if (input instanceof FormData || typeof input === "string") {
    body ??= input;
  } else {
    body ??= JSON.stringify(input);
  }
  if (typeof body === "string" && !headers.has("content-type")) headers.set("content-type", "application/json");
  const request = new Request(url, {
    method,
    headers,
    body: method === "GET" || method === "HEAD" ? undefined : body,
    ...(body instanceof ReadableStream && { duplex: "half" }),
  });
  return toResponse(await route(operation)(request), request);
}

/** Returns the data of the mail jobs for a user, oldest first. */
export async function requestedMails(userId: string): Promise<unknown[]> {
  const { rows } = await databasePool().query(
    `SELECT "data" FROM pgboss.job WHERE "name" = 'mail' AND "data"->>'userId' = $1 ORDER BY "id"`,
    [userId],
  );
  return rows.map(({ data }) => data);
}

/** Returns the number of audit records. */
export function auditCount(): Promise<number> {
  return db.auditRecord.count();
}
