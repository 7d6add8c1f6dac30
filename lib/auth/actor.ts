import "server-only";
import { type Db, db } from "@/lib/db/client";
import type { ApiToken } from "@/lib/db/generated/client";
import { queryRows, type Sql, sql } from "@/lib/db/query";
import { withReserve } from "@/lib/db/reserve";
import { cookieName, hostCookie } from "@/lib/http/cookies";
import { cookieValue } from "@/lib/http/request-facts";
import { hashToken, looksLikeApiToken } from "@/lib/kernel/crypto/tokens";
import { ApiError } from "@/lib/kernel/errors";
import {
  type Actor,
  type Grant,
  type GroupGrant,
  SERVER_IDENTIFIER,
  SUPER_ADMIN,
  type TokenActor,
  type UserActor,
} from "@/lib/permissions/actor";
import { isGroupScope, isScope, SCOPES } from "@/lib/permissions/scopes";

const SESSION_COOKIE = "slipway-session";

/** The names of the session cookie on HTTPS and on plain HTTP. */
export const SESSION_COOKIES = [`__Host-${SESSION_COOKIE}`, SESSION_COOKIE] as const;

/** A Set-Cookie value that gives the browser a session until its absolute end. */
export function sessionCookie(session: { token: string; absoluteExpiresAt: Date }): string {
  return hostCookie(SESSION_COOKIE, session.token, { lifetime: `Expires=${session.absoluteExpiresAt.toUTCString()}` });
}

/** A Set-Cookie value that removes the session from the browser. */
export function expiredSessionCookie(): string {
  return hostCookie(SESSION_COOKIE, "", { lifetime: "Max-Age=0" });
}

interface SessionRow {
  sessionId: string;
  userId: string;
  expiresAt: Date;
  secondFactor: boolean;
  secondFactorConfirmedAt: Date | null;
  twoFactorEnabled: boolean;
  hasPasskey: boolean;
  roleName: string;
  grants: {
    scopes: string[];
    allApps: boolean;
    targets: { appId: string; environmentId: string | null }[];
    groups: { groupId: string; appId: string; environmentIds: string[] | null }[];
  }[];
}

type TokenRow = Pick<ApiToken, "id" | "name" | "appId" | "environmentId" | "identifiers" | "scopes" | "lastUsedAt"> &
  Pick<TokenActor, "isEnvironmentActive" | "validUntil">;

/** The grant of SUPER_ADMIN, which needs no permissions. */
const EVERYTHING: Grant = { scopes: [...SCOPES], apps: "all" };

function toGrant(row: SessionRow["grants"][number]): Grant {
  const scopes = row.scopes.filter(isScope);
  if (row.allApps) return { scopes, apps: "all" };
  const apps = new Map<string, "all" | Set<string>>();
  for (const { appId, environmentId } of row.targets) {
    const known = apps.get(appId);
    if (environmentId === null) apps.set(appId, "all");
    else if (known === undefined) apps.set(appId, new Set([environmentId]));
    else if (known !== "all") known.add(environmentId);
  }
  return { scopes, apps };
}

/** What permissions give for the releases of groups. */
function toGroupGrants(rows: SessionRow["grants"]): GroupGrant[] {
  return rows.flatMap(({ scopes, groups }) =>
    groups.map(({ groupId, appId, environmentIds }) => ({
      scopes: scopes.filter(isScope).filter(isGroupScope),
      groupId,
      appId,
      environmentIds: environmentIds === null ? ("all" as const) : new Set(environmentIds),
    })),
  );
}

/** The permissions of the role `r`, as `toGrant` and `toGroupGrants` read them. */
const GRANTS = sql`
  coalesce((
    SELECT json_agg(json_build_object('scopes', p."scopes", 'allApps', p."allApps", 'targets', coalesce((
      SELECT json_agg(json_build_object('appId', t."appId", 'environmentId', t."environmentId"))
      FROM "RolePermissionTarget" t WHERE t."permissionId" = p."id"), '[]'::json), 'groups', coalesce((
      SELECT json_agg(json_build_object('groupId', g."id", 'appId', g."appId",
        'environmentIds', CASE WHEN NOT g."allEnvironments" THEN g."environmentIds" END))
      FROM "RolePermissionGroup" pg JOIN "TesterGroup" g ON g."id" = pg."groupId"
      WHERE pg."permissionId" = p."id"), '[]'::json)))
    FROM "RolePermission" p WHERE p."roleId" = r."id"), '[]'::json)`;

/** The second factors that the user `u` has. */
const HAS_SECOND_FACTOR = sql`
  EXISTS (SELECT 1 FROM "TwoFactor" f WHERE f."userId" = u."id" AND f."enabledAt" IS NOT NULL) AS "twoFactorEnabled",
  EXISTS (SELECT 1 FROM "Passkey" k WHERE k."userId" = u."id") AS "hasPasskey"`;

/** What a user may do who has no session, such as the owner of a feed. */
export interface UserRights {
  isAdmin: boolean;
  /** Whether they have an authenticator app or a passkey, which a session can ask for. */
  hasSecondFactor: boolean;
  grants: Grant[];
  groups: GroupGrant[];
}

/** What the permissions of a role give. A permission for groups is no grant: a grant is held somewhere, even one without places. */
function rightsOf(isAdmin: boolean, rows: SessionRow["grants"]): { grants: Grant[]; groups: GroupGrant[] } {
  if (isAdmin) return { grants: [EVERYTHING], groups: [] };
  const ofPlaces = rows.filter(({ groups }) => groups.length === 0);
  return { grants: ofPlaces.map(toGrant), groups: toGroupGrants(rows) };
}

/** The current rights of a user without a session; null unless they are active. */
export async function loadUserRights(from: Db, userId: string): Promise<UserRights | null> {
  const [row] = await queryRows<Pick<SessionRow, "roleName" | "grants" | "twoFactorEnabled" | "hasPasskey">>(
    from,
    sql`
      SELECT r."name" AS "roleName", ${HAS_SECOND_FACTOR}, ${GRANTS} AS "grants"
      FROM "User" u JOIN "Role" r ON r."id" = u."roleId" WHERE u."id" = ${userId}::uuid AND u."status" = 'active'`,
    { prepared: true },
  );
  if (!row) return null;
  const isAdmin = row.roleName === SUPER_ADMIN;
  const hasSecondFactor = row.twoFactorEnabled || row.hasPasskey;
  return { isAdmin, hasSecondFactor, ...rightsOf(isAdmin, row.grants) };
}

/** The user of a session that has not ended, with their current rights. */
async function loadUserActor(from: Db, session: Sql, now: Date): Promise<Actor> {
  const [row] = await queryRows<SessionRow>(
    from,
    sql`
      SELECT s."id" AS "sessionId", u."id" AS "userId", s."expiresAt",
             s."secondFactorAt" IS NOT NULL AS "secondFactor", s."secondFactorConfirmedAt",
             ${HAS_SECOND_FACTOR},
             r."name" AS "roleName",
             ${GRANTS} AS "grants"
      FROM "Session" s JOIN "User" u ON u."id" = s."userId" JOIN "Role" r ON r."id" = u."roleId"
      WHERE ${session} AND s."expiresAt" > ${now} AND s."absoluteExpiresAt" > ${now}
        AND u."status" = 'active'`,
    { prepared: true },
  );
  if (!row) return { kind: "anonymous", expired: true };
  const isAdmin = row.roleName === SUPER_ADMIN;
  return {
    kind: "user",
    userId: row.userId,
    sessionId: row.sessionId,
    exp: Math.floor(row.expiresAt.getTime() / 1000),
    isAdmin,
    secondFactor: row.secondFactor,
    secondFactorConfirmedAt: row.secondFactorConfirmedAt,
    twoFactorEnabled: row.twoFactorEnabled,
    hasPasskey: row.hasPasskey,
    ...rightsOf(isAdmin, row.grants),
  } satisfies UserActor;
}

/** The form in which identifiers are compared: an Android signing hash without colons and in lower case. */
export function normalizeIdentifier(identifier: string): string {
  const hex = identifier.replaceAll(":", "").toLowerCase();
  return /^[0-9a-f]{64}$/.test(hex) ? hex : identifier;
}

/** @throws ApiError invalid_token if there is no such token, or it was revoked or has expired */
async function loadToken(from: Db, token: Sql, now: Date): Promise<TokenRow> {
  const [row] = await queryRows<TokenRow>(
    from,
    sql`
      SELECT t."id", t."name", t."appId", t."environmentId", t."identifiers", t."scopes", t."lastUsedAt", t."validUntil",
             e."status" = 'active' AND a."status" = 'active' AS "isEnvironmentActive"
      FROM "ApiToken" t JOIN "Environment" e ON e."id" = t."environmentId" JOIN "App" a ON a."id" = e."appId"
      WHERE ${token} AND t."revokedAt" IS NULL AND t."validUntil" > ${now}`,
    { prepared: true },
  );
  if (!row) throw new ApiError("invalid_token");
  return row;
}

function toTokenActor(row: TokenRow, identifier: string): TokenActor {
  const apps = new Map([[row.appId, new Set([row.environmentId])]]);
  return {
    kind: "token",
    tokenId: row.id,
    name: row.name,
    appId: row.appId,
    environmentId: row.environmentId,
    isEnvironmentActive: row.isEnvironmentActive,
    validUntil: row.validUntil,
    identifier,
    grants: [{ scopes: row.scopes.filter(isScope), apps }],
  };
}

/**
 * Which of a token's identifiers a request presents.
 * @throws ApiError invalid_token if it presents none of them and the token needs one
 */
function presentedIdentifier(identifiers: readonly string[], headers: Headers): string {
  const presented = normalizeIdentifier(headers.get("x-app-identifier") ?? "");
  if (identifiers.some((identifier) => normalizeIdentifier(identifier) === presented)) return presented;
  if (identifiers.includes(SERVER_IDENTIFIER)) return SERVER_IDENTIFIER;
  throw new ApiError("invalid_token");
}

async function actorFromToken(token: string, headers: Headers, now: Date): Promise<Actor> {
  if (!looksLikeApiToken(token)) throw new ApiError("invalid_token");
  const row = await loadToken(db, sql`t."hash" = ${hashToken(token)}`, now);
  const identifier = presentedIdentifier(row.identifiers, headers);
  // Updated once a minute at most, to save a write for each call.
  if (row.lastUsedAt === null || now.getTime() - row.lastUsedAt.getTime() > 60_000) {
    await db.apiToken.updateMany({ where: { id: row.id }, data: { lastUsedAt: now } });
  }
  return toTokenActor(row, identifier);
}

/**
 * The same caller with their current rights. A session or token that expires during a call is valid until its end: `now`
 * is the time at which the call began.
 * @returns an anonymous actor if the session was ended or its user switched off
 * @throws ApiError invalid_token if the token has been revoked
 */
export async function reloadActor(tx: Db, actor: UserActor | TokenActor, now: Date): Promise<Actor> {
  if (actor.kind === "user") return loadUserActor(tx, sql`s."id" = ${actor.sessionId}::uuid`, now);
  return loadTokenActor(tx, actor.tokenId, now, actor.identifier);
}

/**
 * The caller with an API token that was identified before, with its current rights.
 * @throws ApiError invalid_token if the token has been revoked or has expired
 */
export async function loadTokenActor(
  from: Db,
  tokenId: string,
  now: Date,
  identifier: string = SERVER_IDENTIFIER,
): Promise<TokenActor> {
  return toTokenActor(await loadToken(from, sql`t."id" = ${tokenId}::uuid`, now), identifier);
}

function actorFromSession(token: string, now: Date): Promise<Actor> {
  return loadUserActor(db, sql`s."tokenHash" = ${hashToken(token)}`, now);
}

/** A session's token, which a command-line tool sends as a bearer token. API tokens are longer. */
const SESSION_TOKEN = /^[\w-]{43}$/;

/** What a request shows of its caller: the header or the cookie of a session; null for neither. */
export function credentialOf(headers: Headers): string | null {
  return headers.get("authorization") ?? cookieValue(headers, cookieName(SESSION_COOKIE)) ?? null;
}

/**
 * Identifies the caller: by an API token or a command-line tool's session as the bearer token, or by the session cookie of
 * a browser. No other code creates actors.
 * @throws ApiError invalid_token if the bearer token is neither
 */
export function actorFromHeaders(headers: Headers, now: Date): Promise<Actor> {
  // No other load keeps a caller from being found.
  return withReserve(() => findActor(headers, now));
}

async function findActor(headers: Headers, now: Date): Promise<Actor> {
  const authorization = headers.get("authorization");
  if (authorization !== null) {
    const bearer = /^Bearer\s+(\S+)$/i.exec(authorization)?.[1];
    if (!bearer) throw new ApiError("invalid_token");
    return SESSION_TOKEN.test(bearer) ? actorFromSession(bearer, now) : actorFromToken(bearer, headers, now);
  }
  const session = cookieValue(headers, cookieName(SESSION_COOKIE));
  return session ? actorFromSession(session, now) : { kind: "anonymous", expired: false };
}
