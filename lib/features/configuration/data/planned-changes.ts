import "server-only";
import { MAX_DIFF_BYTES } from "../schema";
import type { EntryChange } from "./entries";

/** A change with the values of a development variable before and after it. */
export interface ValuedChange extends EntryChange {
  values: { before?: string; after?: string };
}

const COUNTS = { create: "created", update: "updated", delete: "removed" } as const;

function actionOf({ before, after }: EntryChange): keyof typeof COUNTS {
  if (after === null) return "delete";
  return before === null ? "create" : "update";
}

/** The length of the values of changes in UTF-8, in bytes. */
function valueBytes(changes: readonly ValuedChange[]): number {
  const lengthOf = (value = "") => Buffer.byteLength(value);
  return changes.reduce((sum, { values }) => sum + lengthOf(values.before) + lengthOf(values.after), 0);
}

/**
 * What changes do, by key, as imports and copies answer it.
 * @param options.withValues whether to tell the values of development variables, unless they are too long together
 */
export function describeChanges(changes: readonly ValuedChange[], { withValues }: { withValues: boolean }) {
  const fits = !withValues || valueBytes(changes) <= MAX_DIFF_BYTES;
  const counts = { created: 0, updated: 0, removed: 0 };
  const described = changes.map((change) => {
    const action = actionOf(change);
    counts[COUNTS[action]] += 1;
    const key = change.after?.key ?? change.before?.key ?? "";
    return { key, action, ...(withValues && fits && change.values) };
  });
  described.sort((a, b) => (a.key < b.key ? -1 : 1));
  return { ...counts, changes: described, ...(!fits && { valuesOmitted: true as const }) };
}
