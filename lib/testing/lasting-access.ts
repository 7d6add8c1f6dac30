import { db } from "@/lib/db/client";
import { queryRows, raw } from "@/lib/db/query";

/**
 * The tables whose rows give access that outlives a session, with the columns that decide to what and to whom. A password is left
 * out: it is changed only by who knows the current one, or has a link that was sent by mail.
 */
const GIVING: Record<string, { columns: string[]; ended?: string }> = {
  ApiToken: { columns: ["environmentId", "identifiers", "scopes", "validUntil"], ended: `"revokedAt" IS NOT NULL` },
  AuthProvider: { columns: ["enabled", "config", "secret"] },
  CalendarFeed: { columns: ["secretHash"] },
  Passkey: { columns: ["userId", "credentialId"] },
  PushSubscription: { columns: ["testerId", "endpointHash"] },
  RecoveryCode: { columns: ["userId", "hash"] },
  ReleaseFeed: { columns: ["secretHash"] },
  RolePermission: { columns: ["roleId", "scopes", "allApps"] },
  RolePermissionGroup: { columns: ["permissionId", "groupId"] },
  RolePermissionTarget: { columns: ["permissionId", "appId", "environmentId"] },
  ShareLink: {
    columns: ["releaseId", "followsLatest", "platformId", "codeHash", "passwordHash", "expiresAt", "maxInstalls"],
    ended: `"deletedAt" IS NOT NULL`,
  },
  TesterGroup: { columns: ["allEnvironments", "environmentIds"] },
  TesterGroupMember: { columns: ["groupId", "testerId"] },
  TwoFactor: { columns: ["userId", "secret"] },
  User: { columns: ["roleId", "email", "provider", "providerSubject"], ended: `"status" = 'inactive'` },
  Webhook: { columns: ["url", "events", "allApps", "appIds", "secret"], ended: `"status" = 'inactive'` },
};

/** Other tables that keep a secret or its hash, and why their rows give no such access. */
const NOT_GIVING: Record<string, string> = {
  AppCenterUpload: "the parts of one upload, of an API token, for a day",
  AuditCheckpoint: "of audit records",
  AuditRecord: "of audit records",
  ConfigurationChange: "the ID of a stored secret",
  Device: "of a UDID",
  OneTimeToken: "ends by itself; the links to a password go out by mail",
  Session: "is the session",
  Tester: "of the page of a member of groups",
};

/** What gives lasting access now, each row with the columns that decide. */
export async function lastingAccess(): Promise<Set<string>> {
  const tables = Object.entries(GIVING).map(([name, { columns, ended = "false" }]) => {
    const values = columns.map((column) => `t."${column}"`).join(", ");
    return `SELECT concat('${name} ', md5(ROW(${values})::text)) AS "row" FROM "${name}" t WHERE NOT (${ended})`;
  });
  const rows = await queryRows<{ row: string }>(db, raw(tables.join(" UNION ALL ")));
  return new Set(rows.map(({ row }) => row));
}

/** The tables in which access was given between two calls of `lastingAccess`. */
export function givenBetween(before: ReadonlySet<string>, after: ReadonlySet<string>): string[] {
  const added = [...after].filter((row) => !before.has(row));
  return [...new Set(added.map((row) => row.split(" ")[0] as string))].sort();
}

/** The tables with a column of a secret or a hash that neither list names. */
export async function unjudgedTables(): Promise<string[]> {
  const rows = await db.$queryRaw<{ name: string }[]>`
    SELECT DISTINCT "table_name" AS "name" FROM information_schema.columns
    WHERE "table_schema" = 'public' AND ("column_name" ~* '(secret|token|code|password)?hash$' OR "column_name" ~* 'secret')
      AND "data_type" IN ('bytea', 'character', 'character varying')`;
  return rows.map(({ name }) => name).filter((name) => !(name in GIVING) && !(name in NOT_GIVING));
}
