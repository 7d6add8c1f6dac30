import "server-only";
import { X509Certificate } from "node:crypto";
import type { Db } from "@/lib/db/client";
import { join, queryRows, type Sql, sql } from "@/lib/db/query";
import { LATEST_FIRST } from "@/lib/db/release-order";
import { env } from "@/lib/kernel/env";
import { EXPIRING_KINDS, type ExpiringKind } from "@/lib/kernel/expiring-kinds";
import type { InstallFinding } from "@/lib/kernel/install-check-codes";
import { DAY_MS } from "@/lib/kernel/time";
import type { UserActor } from "@/lib/permissions/actor";
import { environmentSql, sightOf } from "@/lib/permissions/visibility";
import { claimsOfStored, LICENSE_ROW } from "./current-license";
import { daysLeft, endOfPeriod, endOfSeen } from "./rules";

/** How many items are answered where nobody asks for a page. */
const MAX_NEAREST = 200;

/** What belongs to the whole console. */
const CONSOLE_KINDS = ["license", "tls", "enrolment"] as const satisfies readonly ExpiringKind[];

/** Tokens that ended longer ago are no news, in days. */
const ENDED_TOKEN_DAYS = 7;

/** Something that ends, and what stops working then. */
export interface Expiring {
  kind: ExpiringKind;
  /** Of the release, certificate or token; of what exists once, its kind. */
  id: string;
  name: string;
  /** ISO 8601. */
  endsAt: string;
  /** Days of the calendar in UTC; 0 on the day itself, negative after it. */
  daysLeft: number;
  takesDown: { releases: number; testers: number; pipelines: number };
  /** Null for what belongs to the whole console. */
  app: { id: string; name: string } | null;
  environment: { id: string; name: string } | null;
  release: { id: string; version: string; buildNumber: string; platform: string } | null;
}

/** What is looked for. */
interface Wanted {
  /** Days from now. */
  within: number;
  now: Date;
  /** Left out, all kinds. */
  kinds?: readonly ExpiringKind[] | undefined;
  /** A pattern of ILIKE for the names of things, applications and environments. */
  like?: string | undefined;
  /** Whether only what has ended is looked for, or only what has not. */
  ended?: boolean | undefined;
}

type Row = Omit<Expiring, "endsAt" | "daysLeft"> & { endsAt: Date };

/**
 * Something that ends with the key of what it is: it stays the same when a certificate is renewed, or another release with the same
 * profile is published.
 */
export type KeyedExpiring = Expiring & { key: string };

/** Whose view: a user's, or that of the console itself. `secondFactor`: whether certificates are shown to those who are no administrators. */
type Viewer = "console" | Pick<UserActor, "isAdmin" | "secondFactor" | "grants">;

const isAdmin = (viewer: Viewer) => viewer === "console" || viewer.isAdmin;

/** A part of the union with the condition of who sees it. */
interface Part {
  kinds: readonly ExpiringKind[];
  isSeen: boolean;
  query: Sql;
}

/** The ends of the profile and of the certificate of each latest release that is not for the App Store. */
function releasePart(where: Sql): Part {
  return {
    kinds: ["profile", "signing_certificate"],
    isSeen: true,
    query: sql`
      SELECT o."kind" || ':' || e."id" || ':' || p."id", o."kind", r."id"::text, coalesce(r."installer"->>'profileName', r."displayName"), o."endsAt"::timestamptz,
        e."id", r."id", p."name", NULL::json
      FROM "Environment" e JOIN "App" a ON a."id" = e."appId" CROSS JOIN "Platform" p CROSS JOIN LATERAL (
        SELECT r."id", r."installer", r."displayName" FROM "Release" r
        WHERE r."environmentId" = e."id" AND r."platformId" = p."id" ORDER BY ${LATEST_FIRST} LIMIT 1
      ) r CROSS JOIN LATERAL (VALUES
        ('profile', r."installer"->>'profileExpiry'), ('signing_certificate', r."installer"->>'certificateExpiry')
      ) o("kind", "endsAt")
      WHERE ${where} AND e."status" = 'active' AND a."status" = 'active' AND p."kind" <> 'android'
        AND r."installer"->>'profileType' IS DISTINCT FROM 'app-store'`,
  };
}

function parts(viewer: Viewer, now: Date, horizon: Date): Part[] {
  const admin = isAdmin(viewer);
  const within = (scope: "release:read" | "secure-certificate:read") =>
    viewer === "console" || viewer.isAdmin
      ? sql`true`
      : environmentSql.readable(sightOf({ kind: "grants", grants: viewer.grants }, scope));
  const endedTokens = new Date(now.getTime() - ENDED_TOKEN_DAYS * DAY_MS);
  return [
    releasePart(within("release:read")),
    {
      kinds: ["certificate", "signing_key"],
      // Other users see certificates after a second factor, here as in their list.
      isSeen: viewer === "console" || viewer.isAdmin || viewer.secondFactor,
      query: sql`
        SELECT 'certificate:' || c."id", CASE WHEN k."certificateId" IS NULL THEN 'certificate' ELSE 'signing_key' END, c."id"::text,
          c."name" COLLATE "default", c."expirationDate", e."id", NULL::uuid, NULL::text, NULL::json
        FROM "SecureCertificate" c JOIN "Environment" e ON e."id" = c."environmentId" JOIN "App" a ON a."id" = e."appId"
        LEFT JOIN "EnvironmentSigningKey" k ON k."certificateId" = c."id"
        WHERE ${within("secure-certificate:read")} AND c."expirationDate" < ${horizon}::timestamptz
          AND c."status" = 'active' AND e."status" = 'active' AND a."status" = 'active'`,
    },
    {
      kinds: ["token"],
      isSeen: admin,
      query: sql`
        SELECT 'token:' || t."id", 'token', t."id"::text, t."name" COLLATE "default", t."validUntil", t."environmentId", NULL::uuid, NULL::text,
          NULL::json FROM "ApiToken" t
        WHERE t."revokedAt" IS NULL AND t."validUntil" > ${endedTokens}::timestamptz
          AND t."validUntil" < ${horizon}::timestamptz`,
    },
  ];
}

const NOTHING = { releases: 0, testers: 0, pipelines: 0 };
const OF_THE_CONSOLE = { app: null, environment: null, release: null };

/** What of the console itself ends: the license and two certificates, as far as they are known. */
async function listOfConsole(db: Db, now: Date): Promise<Row[]> {
  const [state] = await queryRows<{
    token: string | null;
    findings: InstallFinding[] | null;
    signer: { certificate: string } | null;
    releases: number;
    testers: number;
    pipelines: number;
  }>(
    db,
    sql`
      SELECT
        (SELECT "token" FROM "License" WHERE "id" = ${LICENSE_ROW}) AS "token",
        (SELECT "findings" FROM "InstallCheck" ORDER BY "ranAt" DESC LIMIT 1) AS "findings",
        (SELECT "publicJwk" FROM "ServerKey" WHERE "use" = 'profile' AND "retiredAt" IS NULL LIMIT 1) AS "signer",
        (SELECT coalesce(sum("change"), 0)::int FROM "ReleaseCount") AS "releases",
        (SELECT count(*)::int FROM "Tester") AS "testers",
        (SELECT count(*)::int FROM "ApiToken" WHERE "revokedAt" IS NULL AND "validUntil" > ${now}::timestamptz) AS "pipelines"`,
  );
  const { token, findings, signer, ...everything } = state ?? NOTHING_KNOWN;
  const license = await claimsOfStored(token);
  const tls = endOfSeen(findings?.find(({ code }) => code === "tls_expiry")?.seen ?? "");
  const host = new URL(env.APP_URL).host;
  const one = (kind: ExpiringKind, name: string, endsAt: Date, takesDown = NOTHING): Row => ({
    ...{ kind, id: kind, name, endsAt, takesDown },
    ...OF_THE_CONSOLE,
  });
  return [
    ...(license ? [one("license", license.licenseName, license.expiresAt)] : []),
    ...(tls ? [one("tls", host, tls, everything)] : []),
    ...(signer
      ? [one("enrolment", host, new X509Certificate(Buffer.from(signer.certificate, "base64")).validToDate)]
      : []),
  ];
}

const NOTHING_KNOWN = { token: null, findings: null, signer: null, ...NOTHING };

/** The ends of the console itself as a part of the union. */
function consolePart(rows: readonly Row[]): Sql {
  return sql`
    SELECT c."kind", c."kind", c."id", c."name", c."endsAt", NULL::uuid, NULL::uuid, NULL::text, c."takesDown"
    FROM json_to_recordset(${JSON.stringify(rows)}::json)
      AS c("kind" text, "id" text, "name" text, "endsAt" timestamptz, "takesDown" json)`;
}

/** Which rows are wanted, in SQL. */
function conditionsOf({ within, now, kinds = EXPIRING_KINDS, like, ended }: Wanted): Sql {
  return join(
    [
      sql`x."endsAt" < ${endOfPeriod(now, within)}::timestamptz`,
      sql`x."kind" = ANY(${[...kinds]}::text[])`,
      ...(ended === undefined ? [] : [sql`(x."endsAt" < ${now}::timestamptz) = ${ended}::boolean`]),
      ...(like === undefined
        ? []
        : [sql`(x."name" ILIKE ${like} OR a."name" ILIKE ${like} OR e."name" ILIKE ${like})`]),
    ],
    " AND ",
  );
}

/** What stops working with a row of `page`, `x`, in SQL, except for what belongs to the whole console. */
const takesDown = (now: Date) => sql`
  json_build_object(
    'releases', (r."id" IS NOT NULL)::int,
    'testers', (SELECT count(*) FROM "ReleaseRecipient" p WHERE p."releaseId" = x."releaseId"),
    'pipelines', CASE
      WHEN x."kind" = 'token' THEN 1
      WHEN x."kind" IN ('certificate', 'signing_key') THEN (
        SELECT count(*) FROM "ApiToken" t WHERE t."environmentId" = x."environmentId" AND t."revokedAt" IS NULL
          AND t."validUntil" > ${now}::timestamptz
          AND t."scopes" && ARRAY['secure-certificate:read', 'secure-certificate:write'])
      ELSE 0 END)`;

/**
 * A part of what ends in an order, and how much there is in all.
 * @param page in SQL of the rows `x`
 */
export async function readExpiring(
  db: Db,
  viewer: Viewer,
  wanted: Wanted,
  { order, beyond = sql`true`, limit }: { order: Sql; beyond?: Sql; limit: number },
): Promise<{ items: KeyedExpiring[]; total: number }> {
  const { within, now, kinds = EXPIRING_KINDS } = wanted;
  const isWanted = (part: Pick<Part, "kinds" | "isSeen">) =>
    part.isSeen && part.kinds.some((kind) => kinds.includes(kind));
  const ofConsole = isWanted({ kinds: CONSOLE_KINDS, isSeen: isAdmin(viewer) }) ? await listOfConsole(db, now) : [];
  const placed = parts(viewer, now, endOfPeriod(now, within)).filter(isWanted);
  const rows = await queryRows<Row & { key: string | null; total: number }>(
    db,
    sql`
      WITH ending("key", "kind", "id", "name", "endsAt", "environmentId", "releaseId", "platform", "takesDown") AS (
        ${join([...placed.map(({ query }) => query), consolePart(ofConsole)], " UNION ALL ")}
      ), found AS (
        SELECT x.*, a."id" AS "appId", a."name" AS "app", e."name" AS "environment"
        FROM ending x LEFT JOIN "Environment" e ON e."id" = x."environmentId" LEFT JOIN "App" a ON a."id" = e."appId"
        WHERE ${conditionsOf(wanted)}
      ), page AS (SELECT x.* FROM found x WHERE ${beyond} ORDER BY ${order} LIMIT ${limit})
      SELECT x."key", x."kind", x."id", x."name", x."endsAt", c."total",
        CASE WHEN x."appId" IS NOT NULL THEN json_build_object('id', x."appId", 'name', x."app") END AS "app",
        CASE WHEN x."appId" IS NOT NULL THEN json_build_object('id', x."environmentId", 'name', x."environment") END
          AS "environment",
        CASE WHEN r."id" IS NOT NULL THEN json_build_object('id', r."id", 'version', r."version",
          'buildNumber', r."buildNumber", 'platform', x."platform") END AS "release",
        coalesce(x."takesDown", ${takesDown(now)}) AS "takesDown"
      FROM (SELECT count(*)::int AS "total" FROM found) c LEFT JOIN page x ON true
        LEFT JOIN "Release" r ON r."id" = x."releaseId"
      ORDER BY ${order}`,
  );
  const items = rows.flatMap(({ total: _total, key, endsAt, ...row }) =>
    key === null ? [] : [{ ...row, key, endsAt: endsAt.toISOString(), daysLeft: daysLeft(endsAt, now) }],
  );
  return { items, total: rows[0]?.total ?? 0 };
}

/**
 * What has ended or ends within some days, of what a viewer may see, by its end: what ends next and, where there is room, what ended
 * last. The number of releases does not matter: profiles and certificates are those of the latest release of each environment and
 * platform.
 */
export async function listExpiring(
  db: Db,
  viewer: Viewer,
  { limit = MAX_NEAREST, ...wanted }: Wanted & { limit?: number },
): Promise<{ items: KeyedExpiring[]; total: number }> {
  const { now } = wanted;
  const order = sql`
    x."endsAt" < ${now}::timestamptz, abs(extract(epoch FROM x."endsAt" - ${now}::timestamptz)), x."key"`;
  const { items, total } = await readExpiring(db, viewer, wanted, { order, limit });
  return { items: items.toSorted((a, b) => a.endsAt.localeCompare(b.endsAt)), total };
}
