import "server-only";
import { X509Certificate } from "node:crypto";
import type { Db } from "@/lib/db/client";
import { join, queryRows, type Sql, sql } from "@/lib/db/query";
import { LATEST_FIRST } from "@/lib/db/release-order";
import { readCurrentLicense } from "@/lib/features/license/data";
import { env } from "@/lib/kernel/env";
import type { InstallFinding } from "@/lib/kernel/install-check-codes";
import { DAY_MS } from "@/lib/kernel/time";
import type { UserActor } from "@/lib/permissions/actor";
import { environmentSql, sightOf } from "@/lib/permissions/visibility";
import { byNearness, daysLeft, endOfPeriod, endOfSeen } from "./rules";
import { EXPIRING_KINDS, type Expiring, type ExpiringKind, MAX_EXPIRING } from "./schema";

/** Tokens that ended longer ago are no news, in days. */
const ENDED_TOKEN_DAYS = 7;

/** What is looked for. */
interface Wanted {
  /** Days from now. */
  within: number;
  now: Date;
  /** Left out, all of what belongs to an environment. */
  kinds?: readonly ExpiringKind[];
}

type Row = Omit<Expiring, "endsAt" | "daysLeft"> & { endsAt: Date };

/** Whose view: a caller's, or that of the console itself. */
export type Viewer = "console" | Pick<UserActor, "kind" | "userId" | "isAdmin" | "secondFactor" | "grants">;

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
      SELECT o."kind", r."id", coalesce(r."installer"->>'profileName', r."displayName"), o."endsAt"::timestamptz,
        e."id", r."id", p."name"
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
        SELECT CASE WHEN k."certificateId" IS NULL THEN 'certificate' ELSE 'signing_key' END, c."id", c."name",
          c."expirationDate", e."id", NULL::uuid, NULL::text
        FROM "SecureCertificate" c JOIN "Environment" e ON e."id" = c."environmentId" JOIN "App" a ON a."id" = e."appId"
        LEFT JOIN "EnvironmentSigningKey" k ON k."certificateId" = c."id"
        WHERE ${within("secure-certificate:read")} AND c."expirationDate" < ${horizon}::timestamptz
          AND c."status" = 'active' AND e."status" = 'active' AND a."status" = 'active'`,
    },
    {
      kinds: ["token"],
      isSeen: admin,
      query: sql`
        SELECT 'token', t."id", t."name", t."validUntil", t."environmentId", NULL::uuid, NULL::text FROM "ApiToken" t
        WHERE t."revokedAt" IS NULL AND t."validUntil" > ${endedTokens}::timestamptz
          AND t."validUntil" < ${horizon}::timestamptz`,
    },
  ];
}

/** What ends in environments: what ends next first, then what ended last, and how much there is. */
async function listPlaced(
  db: Db,
  viewer: Viewer,
  { within, now, kinds }: Wanted,
): Promise<{ rows: Row[]; total: number }> {
  const horizon = endOfPeriod(now, within);
  const seen = parts(viewer, now, horizon).filter(
    (part) => part.isSeen && (kinds === undefined || part.kinds.some((kind) => kinds.includes(kind))),
  );
  if (seen.length === 0) return { rows: [], total: 0 };
  const rows = await queryRows<Row & { total: number }>(
    db,
    sql`
      WITH ending("kind", "id", "name", "endsAt", "environmentId", "releaseId", "platform") AS (${join(
        seen.map(({ query }) => query),
        " UNION ALL ",
      )}), named AS (
        SELECT x.*, (count(*) OVER ())::int AS "total" FROM ending x
        WHERE x."endsAt" < ${horizon}::timestamptz AND x."kind" = ANY(${[...(kinds ?? EXPIRING_KINDS)]}::text[])
        ORDER BY x."endsAt" < ${now}::timestamptz, abs(extract(epoch FROM x."endsAt" - ${now}::timestamptz)), x."id", x."kind"
        LIMIT ${MAX_EXPIRING}
      )
      SELECT n."kind", n."id", n."name", n."endsAt", n."total",
        json_build_object('id', a."id", 'name', a."name") AS "app",
        json_build_object('id', e."id", 'name', e."name") AS "environment",
        CASE WHEN r."id" IS NOT NULL THEN json_build_object('id', r."id", 'version', r."version",
          'buildNumber', r."buildNumber", 'platform', n."platform") END AS "release",
        json_build_object(
          'releases', (r."id" IS NOT NULL)::int,
          'testers', (SELECT count(*) FROM "ReleaseRecipient" p WHERE p."releaseId" = n."releaseId"),
          'pipelines', CASE
            WHEN n."kind" = 'token' THEN 1
            WHEN n."kind" IN ('certificate', 'signing_key') THEN (
              SELECT count(*) FROM "ApiToken" t WHERE t."environmentId" = e."id" AND t."revokedAt" IS NULL
                AND t."validUntil" > ${now}::timestamptz
                AND t."scopes" && ARRAY['secure-certificate:read', 'secure-certificate:write'])
            ELSE 0 END) AS "takesDown"
      FROM named n JOIN "Environment" e ON e."id" = n."environmentId" JOIN "App" a ON a."id" = e."appId"
      LEFT JOIN "Release" r ON r."id" = n."releaseId"`,
  );
  return { rows: rows.map(({ total: _total, ...row }) => row), total: rows[0]?.total ?? 0 };
}

const NOTHING = { releases: 0, testers: 0, pipelines: 0 };
const OF_THE_CONSOLE = { app: null, environment: null, release: null };

/** What of the console itself ends: the license and two certificates, as far as they are known. */
async function listOfConsole(db: Db, now: Date): Promise<Row[]> {
  const license = await readCurrentLicense(db);
  const [state] = await queryRows<{
    findings: InstallFinding[] | null;
    signer: { certificate: string } | null;
    releases: number;
    testers: number;
    pipelines: number;
  }>(
    db,
    sql`
      SELECT
        (SELECT "findings" FROM "InstallCheck" ORDER BY "ranAt" DESC LIMIT 1) AS "findings",
        (SELECT "publicJwk" FROM "ServerKey" WHERE "use" = 'profile' AND "retiredAt" IS NULL LIMIT 1) AS "signer",
        (SELECT coalesce(sum("change"), 0)::int FROM "ReleaseCount") AS "releases",
        (SELECT count(*)::int FROM "Tester") AS "testers",
        (SELECT count(*)::int FROM "ApiToken" WHERE "revokedAt" IS NULL AND "validUntil" > ${now}::timestamptz) AS "pipelines"`,
  );
  const { findings = null, signer = null, ...everything } = state ?? NOTHING_KNOWN;
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

const NOTHING_KNOWN = { findings: null, signer: null, ...NOTHING };

/**
 * What has ended or ends within some days, of what a viewer may see, by its end. The number of releases does not matter: profiles
 * and certificates are those of the latest release of each environment and platform.
 */
export async function listExpiring(
  db: Db,
  viewer: Viewer,
  wanted: Wanted,
): Promise<{ items: Expiring[]; total: number }> {
  const { now, within, kinds } = wanted;
  const placed = await listPlaced(db, viewer, wanted);
  const own = isAdmin(viewer) && kinds === undefined ? await listOfConsole(db, now) : [];
  const horizon = endOfPeriod(now, within);
  const ownWithin = own.filter(({ endsAt }) => endsAt < horizon);
  const nearest = [...placed.rows, ...ownWithin].sort(byNearness(now)).slice(0, MAX_EXPIRING);
  const items = nearest
    .toSorted((a, b) => a.endsAt.getTime() - b.endsAt.getTime())
    .map(({ endsAt, ...row }) => ({ ...row, endsAt: endsAt.toISOString(), daysLeft: daysLeft(endsAt, now) }));
  return { items, total: placed.total + ownWithin.length };
}
