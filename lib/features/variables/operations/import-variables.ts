import "server-only";
import { defineCommand } from "@/lib/api/operation";
import type { Db } from "@/lib/db/client";
import { currentVersion, withConfigurationChange } from "@/lib/features/configuration/data/changes";
import { accessToKind } from "@/lib/features/configuration/data/entries";
import { describeChanges, type ValuedChange } from "@/lib/features/configuration/data/planned-changes";
import type { VariableKind } from "@/lib/features/configuration/schema";
import { environmentTarget } from "@/lib/features/environments/data";
import { issueMessage } from "@/lib/features/variables/internal/issue-message";
import { parseForImport } from "@/lib/features/variables/internal/parsing";
import type { ParsedFile } from "@/lib/features/variables/internal/variable-files";
import { stateOf } from "@/lib/features/variables/internal/variable-operations";
import { translatorFor } from "@/lib/kernel/i18n/translator";
import { newId } from "@/lib/kernel/ids";
import { actorId } from "@/lib/permissions/actor";
import { hasValue, readVariables } from "../data";
import { importVariablesInput, importVariablesOutput } from "../schema";

/** The changes that lead from the variables of an environment to those of a file, by key. */
async function planImport(
  tx: Db,
  place: { environmentId: string; kind: VariableKind; mode: "merge" | "replace" },
  entries: ParsedFile["entries"],
): Promise<ValuedChange[]> {
  const { environmentId, kind, mode } = place;
  const rows = new Map((await readVariables(tx, kind, environmentId)).map((row) => [row.key, row]));
  const changes: ValuedChange[] = [];
  const isPlain = kind === "dev-variable";
  const oldValue = ({ value }: { value: string | Uint8Array }) => (typeof value === "string" ? { before: value } : {});
  for (const { key, value } of entries) {
    const row = rows.get(key);
    rows.delete(key);
    if (!row) {
      const after = stateOf(kind, { key, name: key.slice(0, 100), status: "active" }, value);
      changes.push({ kind, id: newId(), before: null, after, values: isPlain ? { after: value } : {} });
    } else if (!hasValue(kind, row, value)) {
      changes.push({
        kind,
        id: row.id,
        before: row,
        after: stateOf(kind, { key, name: row.name, status: row.status }, value),
        values: isPlain ? { ...oldValue(row), after: value } : {},
      });
    }
  }
  const others = mode === "replace" ? rows.values() : [];
  for (const row of others) changes.push({ kind, id: row.id, before: row, after: null, values: oldValue(row) });
  return changes;
}

/**
 * Sets the variables of an environment to those of a file, as one version of its configuration. If one line is wrong,
 * nothing is changed, and the response names all wrong lines. The name and status of a variable that exists stay, and a
 * new one is named by its key. An import of secure variables, also a dry run, compares their values with those of the file,
 * so it requires what a reveal requires, and the record has the number of compared values.
 */
export const importVariables = defineCommand({
  area: "apps",
  name: "import-variables",
  summary: "Import the variables of a .env, JSON or YAML file; needs the write scope of the kind",
  access: "any-scope",
  input: importVariablesInput,
  output: importVariablesOutput,
  status: 200,
  errors: ["conflict"],
  rateLimit: { points: 600, seconds: 60, by: "actor" },
  audit: { table: "ConfigurationVersion", action: "import" },
  maxJsonBytes: 6.5 * 1024 * 1024,
  async target({ environmentId, kind }, db) {
    const target = await environmentTarget(db, environmentId);
    // The answer says which values are as in the file.
    return target && { ...target, requires: [accessToKind(kind, "write"), accessToKind(kind, "reveal")] };
  },
  prepare: ({ input: { format, text }, actor, request: { signal } }) =>
    parseForImport({ format, text }, { id: actorId(actor), signal }),
  async handler({ input, actor, prepared: { entries, issues }, request, tx }) {
    const { environmentId, kind, mode, dryRun } = input;
    const t = translatorFor(request.locale);
    const errors = issues.map((issue) => ({ line: issue.line, code: issue.code, message: issueMessage(t, issue) }));
    const before = await currentVersion(tx, environmentId);
    const plan = () => planImport(tx, { environmentId, kind, mode }, entries);
    const { version, changes } =
      errors.length > 0 || dryRun
        ? { version: before, changes: errors.length > 0 ? [] : await plan() }
        : await withConfigurationChange(tx, { environmentId, actor, now: request.now }, plan);
    const { created, updated, removed, ...differences } = describeChanges(changes, { withValues: dryRun });
    const unchanged = errors.length > 0 ? 0 : entries.length - created - updated;
    const compared = kind === "secure-variable" && errors.length === 0 ? { compared: updated + unchanged } : {};
    const done = { kind, mode, created, updated, removed, ...compared };
    return {
      output: { created, updated, unchanged, removed, ...differences, errors, version },
      audit: {
        recordId: environmentId,
        action: errors.length > 0 ? "import-refused" : dryRun ? "import-previewed" : "import",
        changes: {
          ...Object.fromEntries(Object.entries(done).map(([name, value]) => [name, [null, value] as [null, unknown]])),
          version: [version === before ? before : version - 1, version],
        },
      },
    };
  },
});
