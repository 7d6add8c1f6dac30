import "server-only";
import type { Db } from "@/lib/db/client";
import { join, queryRows, raw, type Sql, sql } from "@/lib/db/query";
import type { SealedPlace } from "@/lib/kernel/crypto/sealed";
import type { EntryKind } from "../schema";
import { everyEntry, stateAt } from "./differences";
import { type CertificateDetails, DETAILS, TABLES } from "./entries";
import { quoted } from "./rows";
import type { SealedSecret } from "./secrets";

/** An active entry of a configuration, its secret sealed. */
export interface ActiveEntry {
  kind: EntryKind;
  key: string;
  name: string;
  /** Of a development variable. */
  plain: string | null;
  /** Of the other kinds, where it was asked for, with the place that it is sealed for. */
  sealed: (SealedSecret & { place: Omit<SealedPlace, "column"> }) | null;
  /** Of a certificate. */
  details: CertificateDetails | null;
}

interface ActiveRow {
  version: number;
  kind: EntryKind | null;
  id: string;
  key: string;
  name: string;
  plain: string | null;
  value: Uint8Array | null;
  password: Uint8Array | null;
  details: CertificateDetails | null;
}

/** The active rows of an entry's table, with the columns of an `ActiveRow`. */
function activeRows(environmentId: string, kind: EntryKind, withSecret: boolean): Sql {
  const { table, plain, sealed } = TABLES[kind];
  const isSealed = (name: "value" | "password") => withSecret && sealed.includes(name);
  const details = Object.keys(DETAILS).flatMap((name) => [`'${name}'`, `v."${name}"`]);
  const columns = [
    `'${kind}' AS "kind", v."id", v."key", v."name"`,
    `${"value" in plain ? `v."value"` : "NULL::text"} AS "plain"`,
    `${isSealed("value") ? `v."value"` : "NULL::bytea"} AS "value"`,
    `${isSealed("password") ? `v."password"` : "NULL::bytea"} AS "password"`,
    `${kind === "secure-certificate" ? `json_build_object(${details.join(", ")})` : "NULL::json"} AS "details"`,
  ];
  return sql`SELECT ${raw(columns.join(", "))} FROM ${raw(quoted(table))} v
    WHERE v."environmentId" = ${environmentId}::uuid AND v."status" = 'active'`;
}

/**
 * The active entries of an environment's configuration by kind and key, with the version that they belong to, as one
 * statement sees them.
 * @param options.kinds at least one
 * @param options.secrets the kinds whose secrets are read
 * @param options.version as of which they are read; by default, as they are now
 * @returns null where there never was such a version
 */
export async function readActiveEntries(
  db: Db,
  environmentId: string,
  options: { kinds: readonly EntryKind[]; secrets: readonly EntryKind[]; version?: number },
): Promise<{ version: number; entries: ActiveEntry[] } | null> {
  const { kinds, secrets, version } = options;
  const rows = await queryRows<ActiveRow>(
    db,
    version === undefined
      ? sql`
          SELECT e."configurationVersion" AS "version", x.*
          FROM "Environment" e
          LEFT JOIN (${join(
            kinds.map((kind) => activeRows(environmentId, kind, secrets.includes(kind))),
            " UNION ALL ",
          )}) x ON true
          WHERE e."id" = ${environmentId}::uuid ORDER BY x."kind", x."key" COLLATE "C"`
      : sql`
          SELECT ${version}::int AS "version", x."kind", s."id", x."key", x."name", x."value" AS "plain", s."value",
            s."password", x."details"
          FROM "Environment" e
          LEFT JOIN (
            SELECT t."kind", t."key", state.* FROM (${everyEntry(environmentId, kinds)}) t
            CROSS JOIN LATERAL ${stateAt(environmentId, version)} AS state
          ) x ON x."status" = 'active'
          LEFT JOIN LATERAL (
            SELECT "id", "value", "password" FROM "ConfigurationSecret"
            WHERE "id" = x."secretId" AND x."kind" = ANY(${[...secrets]}::text[]) LIMIT 1
          ) s ON true
          WHERE e."id" = ${environmentId}::uuid AND e."configurationVersion" >= ${version}
          ORDER BY x."kind", x."key" COLLATE "C"`,
    { prepared: true },
  );
  const [first] = rows;
  if (!first) return null;
  const tableFor = (kind: EntryKind) => (version === undefined ? TABLES[kind].table : "ConfigurationSecret");
  const entries = rows.flatMap(({ kind, id, key, name, plain, value, password, details }) => {
    if (kind === null) return [];
    const sealed = value && { value, password, place: { table: tableFor(kind), id } };
    return [{ kind, key, name, plain, sealed, details }];
  });
  return { version: first.version, entries };
}
