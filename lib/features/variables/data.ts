import "server-only";
import type { z } from "zod";
import {
  cappedCount,
  type ListTotal,
  likeText,
  orNotFound,
  pagePosition,
  SEARCH_COUNT_CAP,
  type SortFields,
  sortField,
  toPage,
} from "@/lib/api/list";
import type { Db } from "@/lib/db/client";
import { Status } from "@/lib/db/generated/client";
import { countRows, empty, join, queryRows, raw, type Sql, sql } from "@/lib/db/query";
import { authorJson, tableOfKind } from "@/lib/features/configuration/data/entries";
import { openSecret } from "@/lib/features/configuration/data/secrets";
import type { Author, VariableKind } from "@/lib/features/configuration/schema";
import { type EnvironmentTarget, environmentTargetOf } from "@/lib/features/environments/data";
import { SealedError } from "@/lib/kernel/crypto/sealed";
import type { SecureVariable, Variable, variablesInput } from "./schema";

/** A variable's row: its value as it is stored, sealed or plain. */
export interface VariableRow {
  id: string;
  environmentId: string;
  name: string;
  key: string;
  status: Status;
  version: number;
  updatedAt: Date;
  updatedBy: Author | null;
  value: string | Uint8Array;
}

/** A variable's row without its value, as the API shows it. */
export function toSecureVariable(row: Omit<VariableRow, "value">): SecureVariable {
  const { id, environmentId, name, key, status, version, updatedAt, updatedBy } = row;
  return { id, environmentId, name, key, status, version, updatedAt: updatedAt.toISOString(), updatedBy };
}

/**
 * A variable's row with its value, as the API shows it.
 * @throws SealedError where the value of a secure variable does not open
 */
export function toVariable(kind: VariableKind, row: VariableRow): Variable {
  return { ...toSecureVariable(row), value: plainValue(kind, row) };
}

/**
 * The value of a variable's row, opened where it is sealed.
 * @throws SealedError
 */
export function plainValue(kind: VariableKind, { id, value }: Pick<VariableRow, "id" | "value">): string {
  if (typeof value === "string") return value;
  return openSecret({ value, password: null }, { table: tableOfKind(kind), id }).value.toString();
}

/** Whether a row has a value; one that does not open is told as another. */
export function hasValue(kind: VariableKind, row: Pick<VariableRow, "id" | "value">, value: string): boolean {
  try {
    return plainValue(kind, row) === value;
  } catch (error) {
    if (error instanceof SealedError) return false;
    throw error;
  }
}

const tableOf = (kind: VariableKind) => raw(`"${tableOfKind(kind)}"`);
const COLUMNS = sql`v."id", v."environmentId", v."name", v."key", v."status", v."version", v."updatedAt",
  ${authorJson(`v."updatedByUser"`, `v."updatedByToken"`)} AS "updatedBy"`;

/** @throws ApiError not_found */
export async function loadVariable(db: Db, kind: VariableKind, id: string): Promise<VariableRow> {
  const [row] = await queryRows<VariableRow>(
    db,
    sql`SELECT ${COLUMNS}, v."value" FROM ${tableOf(kind)} v WHERE v."id" = ${id}::uuid`,
    { prepared: true },
  );
  return orNotFound(row);
}

/** The environment of a variable as the target of a call; null where there is no such variable. */
export function variableTarget(db: Db, kind: VariableKind, id: string): Promise<EnvironmentTarget | null> {
  return environmentTargetOf(db, sql`(SELECT v."environmentId" FROM ${tableOf(kind)} v WHERE v."id" = ${id}::uuid)`);
}

type Filters = z.output<typeof variablesInput>;

function conditions({ environmentId, status, search }: Filters): Sql[] {
  const like = `%${likeText(search ?? "")}%`;
  return [
    sql`v."environmentId" = ${environmentId}::uuid`,
    ...(status ? [sql`v."status" = ${status}::"Status"`] : []),
    ...(search ? [sql`(v."name" ILIKE ${like} OR v."key" ILIKE ${like})`] : []),
  ];
}

const SORTS: SortFields = { status: { values: Object.values(Status) } };

/** One page of the variables of an environment, and of development variables their values. */
export async function listVariables(db: Db, kind: VariableKind, input: Filters) {
  const { field, descending, after } = pagePosition(input, ["updatedAt"], undefined, SORTS[sortField(input)]);
  const [direction, sign] = descending ? ["DESC", "<"] : ["ASC", ">"];
  const column = raw(`v."${field}"`);
  const wanted = conditions(input);
  const cast = raw(field === "status" ? `::"Status"` : "");
  const beyond = after ? [sql`(${column}, v."id") ${raw(sign)} (${after.value}${cast}, ${after.id}::uuid)`] : [];
  const value = kind === "dev-variable" ? raw(`v."value"`) : sql`NULL`;
  const [rows, total] = await Promise.all([
    queryRows<VariableRow>(
      db,
      sql`
        SELECT ${COLUMNS}, ${value} AS "value" FROM ${tableOf(kind)} v WHERE ${join([...wanted, ...beyond], " AND ")}
        ORDER BY ${column} ${raw(direction)}, v."id" ${raw(direction)} LIMIT ${input.limit + 1}`,
    ),
    input.search
      ? cappedCount(SEARCH_COUNT_CAP, (take) =>
          countRows(db, sql`SELECT 1 FROM ${tableOf(kind)} v WHERE ${join(wanted, " AND ")}`, take),
        )
      : maintainedCount(db, kind, input),
  ]);
  return { ...toPage(rows, input), ...total };
}

/** The number of variables of an environment, of one status or of both. Triggers maintain these numbers. */
async function maintainedCount(db: Db, kind: VariableKind, { environmentId, status }: Filters): Promise<ListTotal> {
  const ofStatus = status ? sql`AND "status" = ${status}::"Status"` : empty;
  const [row] = await queryRows<{ total: number }>(
    db,
    sql`SELECT coalesce(sum("change"), 0)::float8 AS "total" FROM ${raw(`"${tableOfKind(kind)}Count"`)}
        WHERE "environmentId" = ${environmentId}::uuid ${ofStatus}`,
    { prepared: true },
  );
  return { total: row?.total ?? 0 };
}

/** All variables of an environment and kind, by key. @param status left out, any */
export function readVariables(
  db: Db,
  kind: VariableKind,
  environmentId: string,
  status?: Status,
): Promise<Pick<VariableRow, "id" | "key" | "name" | "status" | "value">[]> {
  const ofStatus = status ? sql`AND v."status" = ${status}::"Status"` : empty;
  return queryRows(
    db,
    sql`
      SELECT v."id", v."key", v."name", v."status", v."value" FROM ${tableOf(kind)} v
      WHERE v."environmentId" = ${environmentId}::uuid ${ofStatus} ORDER BY v."key" COLLATE "C"`,
  );
}

/** How many bytes the values of the active variables of an environment have, as they are stored. */
export async function valueBytes(db: Db, kind: VariableKind, environmentId: string): Promise<number> {
  const [row] = await queryRows<{ bytes: number }>(
    db,
    sql`
      SELECT coalesce(sum(octet_length(v."value")), 0)::float8 AS "bytes" FROM ${tableOf(kind)} v
      WHERE v."environmentId" = ${environmentId}::uuid AND v."status" = 'active'`,
  );
  return row?.bytes ?? 0;
}
