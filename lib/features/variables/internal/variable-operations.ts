import "server-only";
import { z } from "zod";
import { csvOf } from "@/lib/api/csv";
import { requireUnchanged } from "@/lib/api/expected";
import { listOutput } from "@/lib/api/list";
import { defineCommand, defineQuery } from "@/lib/api/operation";
import { type Changes, changesBetween } from "@/lib/audit/write";
import type { Db } from "@/lib/db/client";
import { withConfigurationChange } from "@/lib/features/configuration/data/changes";
import {
  accessToKind,
  type EntryChange,
  type EntryState,
  tableOfKind,
} from "@/lib/features/configuration/data/entries";
import type { VariableKind } from "@/lib/features/configuration/schema";
import { environmentTarget } from "@/lib/features/environments/data";
import {
  hasValue,
  listVariables,
  loadVariable,
  toSecureVariable,
  toVariable,
  type VariableRow,
  variableTarget,
} from "@/lib/features/variables/data";
import {
  createVariableInput,
  type SecureVariable,
  secureVariableSchema,
  updateVariableInput,
  variableInput,
  variableSchema,
  variablesInput,
} from "@/lib/features/variables/schema";
import { newId } from "@/lib/kernel/ids";

/** What is particular to a kind of variables. */
interface VariableForm<Shown extends typeof variableSchema | typeof secureVariableSchema> {
  kind: VariableKind;
  /** In the names of operations. */
  noun: string;
  /** In their summaries. */
  term: string;
  /** What lists and the answers to changes show. */
  output: Shown;
  show(row: VariableRow): z.input<Shown>;
  /** The columns of the list as CSV. */
  columns: Readonly<Record<string, (variable: z.input<Shown>) => unknown>>;
}

const FACT_COLUMNS = {
  id: ({ id }: SecureVariable) => id,
  key: ({ key }: SecureVariable) => key,
  name: ({ name }: SecureVariable) => name,
  status: ({ status }: SecureVariable) => status,
  version: ({ version }: SecureVariable) => version,
  updatedAt: ({ updatedAt }: SecureVariable) => updatedAt,
  updatedBy: ({ updatedBy }: SecureVariable) => updatedBy?.name,
};

export const developmentForm: VariableForm<typeof variableSchema> = {
  kind: "dev-variable",
  noun: "development-variable",
  term: "development variable",
  output: variableSchema,
  show: (row) => toVariable("dev-variable", row),
  columns: { ...FACT_COLUMNS, value: ({ value }) => value },
};

export const secureForm: VariableForm<typeof secureVariableSchema> = {
  kind: "secure-variable",
  noun: "secure-variable",
  term: "secure variable",
  output: secureVariableSchema,
  show: toSecureVariable,
  columns: FACT_COLUMNS,
};

/** JSON may write each character of a value as six. */
const MAX_JSON_BYTES = 512 * 1024;

/** What an audit record says of a variable; of its value only that it was set or changed. */
function auditedFacts(row: VariableRow) {
  const { environmentId, name, key, status, version } = row;
  return { environmentId, name, key, status, version };
}

const HIDDEN_VALUE = "hidden";

/** A variable as a change leaves it. */
export function stateOf(kind: VariableKind, facts: Omit<EntryState, "value" | "secret">, value: string): EntryState {
  return kind === "dev-variable" ? { ...facts, value } : { ...facts, secret: { value } };
}

// The operations repeat their output, because its type is not inferred from a generic definition.
export function createVariableOperation<S extends typeof variableSchema | typeof secureVariableSchema>(
  form: VariableForm<S>,
) {
  const { kind, noun, term, output, show } = form;
  const operation = defineCommand({
    area: "apps",
    name: `create-${noun}`,
    summary: `Add a ${term} to an environment`,
    ...accessToKind(kind, "write"),
    input: createVariableInput,
    output,
    status: 201,
    errors: ["conflict"],
    audit: { table: tableOfKind(kind), action: "create" },
    maxJsonBytes: MAX_JSON_BYTES,
    target: (input, db) => environmentTarget(db, input.environmentId),
    async handler({ input, actor, request, tx }) {
      const { environmentId, value, ...facts } = input;
      const id = newId();
      await withConfigurationChange(tx, { environmentId, actor, now: request.now }, async () => [
        { kind, id, before: null, after: stateOf(kind, facts, value) },
      ]);
      const row = await loadVariable(tx, kind, id);
      const changes = changesBetween(null, { ...auditedFacts(row), value: HIDDEN_VALUE });
      return { output: show(row), audit: { recordId: id, changes } };
    },
  });
  return { ...operation, output };
}

/**
 * The change that an update makes to a variable's row; none where the row is already like that. The value of a secure
 * variable is written without a comparison: an answer must not tell whether a guess is right.
 */
async function planUpdate(
  tx: Db,
  kind: VariableKind,
  input: z.output<typeof updateVariableInput>,
): Promise<(EntryChange & { row: VariableRow; valueChanged: boolean })[]> {
  const row = await loadVariable(tx, kind, input.id);
  requireUnchanged(row, input.ifUpdatedAt);
  const { name = row.name, key = row.key, status = row.status, value } = input;
  const valueChanged = value !== undefined && (kind === "secure-variable" || !hasValue(kind, row, value));
  if (!valueChanged && name === row.name && key === row.key && status === row.status) return [];
  const facts = { name, key, status };
  const after: EntryState = valueChanged
    ? stateOf(kind, facts, value)
    : { ...facts, ...(typeof row.value === "string" ? { value: row.value } : { secret: "unchanged" }) };
  return [{ kind, id: row.id, before: row, after, row, valueChanged }];
}

export function updateVariableOperation<S extends typeof variableSchema | typeof secureVariableSchema>(
  form: VariableForm<S>,
) {
  const { kind, noun, term, output, show } = form;
  const operation = defineCommand({
    area: "apps",
    name: `update-${noun}`,
    summary: `Change a ${term}; what is left out stays as it is`,
    ...accessToKind(kind, "write"),
    input: updateVariableInput,
    output,
    status: 200,
    errors: ["conflict"],
    audit: { table: tableOfKind(kind), action: "update" },
    maxJsonBytes: MAX_JSON_BYTES,
    target: (input, db) => variableTarget(db, kind, input.id),
    async handler({ input, actor, target: { environmentId }, request, tx }) {
      const { changes } = await withConfigurationChange(tx, { environmentId, actor, now: request.now }, () =>
        planUpdate(tx, kind, input),
      );
      const row = await loadVariable(tx, kind, input.id);
      const audited: Changes = {};
      for (const change of changes) {
        Object.assign(audited, changesBetween(auditedFacts(change.row), auditedFacts(row)));
        if (change.valueChanged) audited.value = [HIDDEN_VALUE, HIDDEN_VALUE];
      }
      return { output: show(row), audit: { recordId: input.id, changes: audited } };
    },
  });
  return { ...operation, output };
}

export function deleteVariableOperation({
  kind,
  noun,
  term,
}: Pick<VariableForm<typeof secureVariableSchema>, "kind" | "noun" | "term">) {
  return defineCommand({
    area: "apps",
    name: `delete-${noun}`,
    summary: `Delete a ${term}; earlier configuration versions keep it`,
    ...accessToKind(kind, "write"),
    input: variableInput,
    output: z.undefined(),
    status: 204,
    errors: [],
    audit: { table: tableOfKind(kind), action: "delete" },
    target: (input, db) => variableTarget(db, kind, input.id),
    async handler({ input, actor, target: { environmentId }, request, tx }) {
      const { version, changes } = await withConfigurationChange(
        tx,
        { environmentId, actor, now: request.now },
        async () => {
          const row = await loadVariable(tx, kind, input.id);
          return [{ kind, id: row.id, before: row, after: null, row }];
        },
      );
      const audited = changes.map(({ row }) =>
        changesBetween({ ...auditedFacts(row), value: HIDDEN_VALUE }, { version }),
      );
      return { output: undefined, audit: { recordId: input.id, changes: audited[0] ?? {} } };
    },
  });
}

export function listVariablesOperation<S extends typeof variableSchema | typeof secureVariableSchema>(
  form: VariableForm<S>,
) {
  const { kind, noun, term, output, show, columns } = form;
  const list = async ({ input, db }: { input: z.output<typeof variablesInput>; db: Db }) => {
    const { rows, ...page } = await listVariables(db, kind, input);
    return { items: rows.map(show), ...page };
  };
  return defineQuery({
    area: "apps",
    name: `get-${noun}s`,
    summary: `List the ${term}s of an environment${kind === "secure-variable" ? ", without their values" : ""}`,
    ...accessToKind(kind, "read"),
    input: variablesInput,
    output: listOutput(output),
    errors: [],
    target: (input, db) => environmentTarget(db, input.environmentId),
    handler: list,
    asFile: csvOf({ fileName: `${noun}s`, columns, list }),
  });
}
