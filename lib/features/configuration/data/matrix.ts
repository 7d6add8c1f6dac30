import "server-only";
import type { z } from "zod";
import { likeText, pagePosition, toPage } from "@/lib/api/list";
import type { Db } from "@/lib/db/client";
import type { Status } from "@/lib/db/generated/client";
import { queryRows, raw, sql } from "@/lib/db/query";
import { environmentWhere, type Sight } from "@/lib/permissions/visibility";
import { type EntryKind, entryKeySchema, type VariablesMatrix, type variablesMatrixInput } from "../schema";
import { TABLES } from "./entries";
import { quoted } from "./rows";

/** The environments of an app in which a caller reads entries of a kind, by name. */
export function readableEnvironments(db: Db, sight: Sight, appId: string): Promise<{ id: string; name: string }[]> {
  return db.environment.findMany({
    where: { AND: [{ appId }, environmentWhere.readable(sight)] },
    select: { id: true, name: true },
    orderBy: [{ name: "asc" }, { id: "asc" }],
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
}

/** What tells whether two entries have the same value, without opening one. */
const FINGERPRINTS: Record<EntryKind, string> = {
  "dev-variable": `md5("value")`,
  "secure-variable": "NULL",
  "secure-certificate": `"sha256"`,
};

/** One page of keys, and the entries that have them. */
interface MatrixPage extends Pick<VariablesMatrix, "nextCursor" | "total" | "missing"> {
  keys: string[];
  entries: MatrixEntry[];
}

/**
 * Reads one page of the keys that entries of a kind have in some environments. All keys are counted, in the index of the keys
 * unless there is a search.
 */
export async function readMatrix(
  db: Db,
  environmentIds: readonly string[],
  input: z.output<typeof variablesMatrixInput>,
): Promise<MatrixPage> {
  const { kind, search, state, limit } = input;
  const { descending, after } = pagePosition(input, [], entryKeySchema);
  const [direction, sign] = descending ? ["DESC", "<"] : ["ASC", ">"];
  const table = raw(quoted(TABLES[kind].table));
  const ids = sql`${[...environmentIds]}::uuid[]`;
  const like = `%${likeText(search ?? "")}%`;
  const isFound = search ? sql`(x."name" ILIKE ${like} OR x."key" ILIKE ${like})` : sql`true`;
  const isBeyond = after ? sql`x."key" ${raw(sign)} ${after.id}` : sql`true`;
  const isMissing = sql`count(*) < ${environmentIds.length}::int`;
  const position = sql`ORDER BY x."key" ${raw(direction)} LIMIT ${limit + 1}`;
  const pageKeys =
    state === "missing"
      ? sql`
          SELECT x."key" AS "id", x."key" FROM ${table} x WHERE x."environmentId" = ANY(${ids}) AND ${isBeyond}
          GROUP BY x."key" HAVING ${isMissing} AND bool_or(${isFound}) ${position}`
      : sql`
          SELECT DISTINCT x."key" AS "id", x."key" FROM unnest(${ids}) AS e("id") CROSS JOIN LATERAL (
            SELECT x."key" FROM ${table} x WHERE x."environmentId" = e."id" AND ${isBeyond} AND ${isFound} ${position}
          ) x ${position}`;
  const [rows, counts] = await Promise.all([
    queryRows<{ id: string; key: string }>(db, pageKeys),
    queryRows<{ total: number; missing: number }>(
      db,
      sql`
        SELECT (count(*) FILTER (WHERE ${state === "missing" ? sql`k."isFound" AND k."isMissing"` : raw(`k."isFound"`)}))::int
          AS "total", (count(*) FILTER (WHERE k."isMissing"))::int AS "missing"
        FROM (
          SELECT bool_or(${isFound}) AS "isFound", ${isMissing} AS "isMissing"
          FROM ${table} x WHERE x."environmentId" = ANY(${ids}) GROUP BY x."key"
        ) k`,
    ),
  ]);
  const { rows: page, nextCursor } = toPage(rows, input);
  const keys = page.map(({ key }) => key);
  const entries = await queryRows<MatrixEntry>(
    db,
    sql`
      SELECT "environmentId", "key", "name", "status", ${raw(FINGERPRINTS[kind])} AS "fingerprint"
      FROM ${table} WHERE "environmentId" = ANY(${ids}) AND "key" = ANY(${keys}::text[])`,
  );
  return { keys, entries, nextCursor, total: counts[0]?.total ?? 0, missing: counts[0]?.missing ?? 0 };
}
