import "server-only";
import type { z } from "zod";
import { likeText, pagePosition, toPage } from "@/lib/api/list";
import type { Db } from "@/lib/db/client";
import type { Status } from "@/lib/db/generated/client";
import { queryRows, raw, type Sql, sql } from "@/lib/db/query";
import { environmentWhere, type Sight } from "@/lib/permissions/visibility";
import {
  type EntryKind,
  entryKeySchema,
  MAX_DIFF_BYTES,
  type VariablesMatrix,
  type variablesMatrixInput,
} from "../schema";
import { TABLES } from "./entries";
import { quoted } from "./rows";

/** The environments of an app in which a caller reads entries of a kind, in their order. */
export function readableEnvironments(db: Db, sight: Sight, appId: string): Promise<{ id: string; name: string }[]> {
  return db.environment.findMany({
    where: { AND: [{ appId }, environmentWhere.readable(sight)] },
    select: { id: true, name: true },
    orderBy: [{ position: "asc" }, { id: "asc" }],
  });
}

/** An entry of some environment, as the comparison of environments needs it. */
interface MatrixEntry {
  environmentId: string;
  key: string;
  name: string;
  status: Status;
  /** Equal where the values are; null for secure variables. */
  fingerprint: string | null;
  /** Of a development variable, where it was asked for. */
  value: string | null;
}

/** What tells whether two entries have the same value, without opening one. */
const FINGERPRINTS: Record<EntryKind, string> = {
  "dev-variable": `md5(x."value")`,
  "secure-variable": "NULL::text",
  "secure-certificate": `x."sha256"`,
};

/** One page of keys, and the entries that have them. */
interface MatrixPage extends Pick<VariablesMatrix, "nextCursor" | "total" | "missing"> {
  keys: string[];
  entries: MatrixEntry[];
  /** Whether the values are too long to be answered together. */
  valuesOmitted: boolean;
}

/**
 * Reads one page of the keys that entries of a kind have in some environments. All keys are counted, in the index of the keys
 * unless there is a search or the values are compared.
 * @param places.compared the environments whose keys are read
 * @param places.all those of which the entries with these keys are read
 */
export async function readMatrix(
  db: Db,
  places: { compared: readonly string[]; all: readonly string[] },
  input: z.output<typeof variablesMatrixInput>,
): Promise<MatrixPage> {
  const { kind, search, state, limit } = input;
  const { descending, after } = pagePosition(input, [], entryKeySchema);
  const [direction, sign] = descending ? ["DESC", "<"] : ["ASC", ">"];
  const table = raw(quoted(TABLES[kind].table));
  const ids = sql`${[...places.compared]}::uuid[]`;
  const like = `%${likeText(search ?? "")}%`;
  const isFound = search ? sql`(x."name" ILIKE ${like} OR x."key" ILIKE ${like})` : sql`true`;
  const isBeyond = after ? sql`x."key" ${raw(sign)} ${after.id}` : sql`true`;
  const isMissing = sql`count(*) < ${places.compared.length}::int`;
  const differs = (column: Sql) => sql`min(${column}) IS DISTINCT FROM max(${column})`;
  const isDifferent = sql`(${isMissing} OR ${differs(sql`x."status"`)} OR ${differs(raw(FINGERPRINTS[kind]))})`;
  const wanted = state === "missing" ? isMissing : state === "different" ? isDifferent : null;
  const position = sql`ORDER BY x."key" ${raw(direction)} LIMIT ${limit + 1}`;
  const pageKeys = wanted
    ? sql`
        SELECT x."key" AS "id", x."key" FROM ${table} x WHERE x."environmentId" = ANY(${ids}) AND ${isBeyond}
        GROUP BY x."key" HAVING ${wanted} AND bool_or(${isFound}) ${position}`
    : sql`
        SELECT DISTINCT x."key" AS "id", x."key" FROM unnest(${ids}) AS e("id") CROSS JOIN LATERAL (
          SELECT x."key" FROM ${table} x WHERE x."environmentId" = e."id" AND ${isBeyond} AND ${isFound} ${position}
        ) x ${position}`;
  const [rows, counts] = await Promise.all([
    queryRows<{ id: string; key: string }>(db, pageKeys),
    queryRows<{ total: number; missing: number }>(
      db,
      sql`
        SELECT (count(*) FILTER (WHERE k."isFound" AND k."isWanted"))::int AS "total",
          (count(*) FILTER (WHERE k."isMissing"))::int AS "missing"
        FROM (
          SELECT bool_or(${isFound}) AS "isFound", ${isMissing} AS "isMissing", ${wanted ?? sql`true`} AS "isWanted"
          FROM ${table} x WHERE x."environmentId" = ANY(${ids}) GROUP BY x."key"
        ) k`,
    ),
  ]);
  const { rows: page, nextCursor } = toPage(rows, input);
  const keys = page.map(({ key }) => key);
  const entries = await readEntries(db, places, keys, input);
  const valuesOmitted = entries.some(({ fits }) => !fits);
  return { keys, entries, valuesOmitted, nextCursor, total: counts[0]?.total ?? 0, missing: counts[0]?.missing ?? 0 };
}

/** The entries of some keys; development variables of the compared environments with their values, if these are wanted and fit. */
function readEntries(
  db: Db,
  { compared, all }: { compared: readonly string[]; all: readonly string[] },
  keys: readonly string[],
  { kind, values }: z.output<typeof variablesMatrixInput>,
): Promise<(MatrixEntry & { fits: boolean })[]> {
  const value =
    values && kind === "dev-variable"
      ? sql`CASE WHEN x."environmentId" = ANY(${[...compared]}::uuid[]) THEN x."value" END`
      : sql`NULL::text`;
  return queryRows(
    db,
    sql`
      SELECT s."environmentId", s."key", s."name", s."status", s."fingerprint", s."fits",
        CASE WHEN s."fits" THEN s."value" END AS "value"
      FROM (
        SELECT x."environmentId", x."key", x."name", x."status", ${raw(FINGERPRINTS[kind])} AS "fingerprint",
          ${value} AS "value", coalesce(sum(octet_length(${value})) OVER (), 0) <= ${MAX_DIFF_BYTES}::bigint AS "fits"
        FROM ${raw(quoted(TABLES[kind].table))} x
        WHERE x."environmentId" = ANY(${[...all]}::uuid[]) AND x."key" = ANY(${[...keys]}::text[])
      ) s`,
  );
}
