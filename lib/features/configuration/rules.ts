import type { ConfigurationDiff, EntryKind, VariablesMatrix } from "./schema";

type Item = ConfigurationDiff["items"][number];

/** An entry of one side of a comparison. */
interface ComparedState {
  name: string;
  status: string;
  value: string | null;
  secretId: string | null;
  details: object | null;
}

/** The fields of an entry beside its value. */
function fieldsOf(state: ComparedState | null, showDetails: boolean): Record<string, unknown> {
  return state ? { name: state.name, status: state.status, ...(showDetails && state.details) } : {};
}

/** What of a difference its caller may see. */
interface Sight {
  /** The values of development variables. */
  values: boolean;
  /** The details of certificates. */
  details: boolean;
}

/**
 * A difference as the API shows it. Of a certificate whose details are not shown, it says that the file differs, in `valueChanged`.
 */
export function toDiffItem(
  difference: { kind: EntryKind; key: string; from: ComparedState | null; to: ComparedState | null },
  shows: Sight,
): Item {
  const { kind, key, from, to } = difference;
  const [before, after] = [fieldsOf(from, shows.details), fieldsOf(to, shows.details)];
  const fields: Item["fields"] = {};
  for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const [old = null, now = null] = [before[name], after[name]];
    if (old !== now) fields[name] = [old, now] as Item["fields"][string];
  }
  return {
    kind,
    key,
    change: from === null ? "added" : to === null ? "removed" : "changed",
    ...(shows.values && from?.value != null && { before: from.value }),
    ...(shows.values && to?.value != null && { after: to.value }),
    valueChanged: from?.value !== to?.value || from?.secretId !== to?.secretId,
    fields,
  };
}

/** An environment's entry in a comparison of environments. */
interface MatrixEntry {
  environmentId: string;
  key: string;
  name: string;
  status: string;
  fingerprint: string | null;
  value: string | null;
}

/** The fewest environments of which one can lack what all others have. */
const MIN_FOR_ONLY_GAP = 3;

/**
 * Entries of several environments in one table: a row for each of the keys, a cell for each environment.
 * @param entries those of the environments, and with `countedEnvironments` of others too
 * @param countedEnvironments of how many environments there are entries, if the cells tell what only one of them lacks
 */
export function toMatrixRows(
  environments: readonly { id: string }[],
  keys: readonly string[],
  entries: readonly MatrixEntry[],
  countedEnvironments?: number,
): VariablesMatrix["rows"] {
  const byKey = Map.groupBy(entries, ({ key }) => key);
  return keys.map((key) => {
    const ofKey = byKey.get(key) ?? [];
    const byEnvironment = new Map(ofKey.map((entry) => [entry.environmentId, entry]));
    const found = environments.map(({ id }) => byEnvironment.get(id));
    const first = found.find((entry) => entry !== undefined);
    const isOnlyGap =
      countedEnvironments !== undefined &&
      countedEnvironments >= MIN_FOR_ONLY_GAP &&
      ofKey.length === countedEnvironments - 1;
    const cells = environments.map(({ id: environmentId }, index) => {
      const entry = found[index];
      if (!entry) return { environmentId, state: "missing" as const, ...(isOnlyGap && { onlyGap: true as const }) };
      const state = entry.status === "active" ? ("set" as const) : ("inactive" as const);
      return {
        environmentId,
        state,
        ...(entry.fingerprint && { same: entry.fingerprint === first?.fingerprint }),
        ...(entry.value !== null && { value: entry.value }),
      };
    });
    return { key, name: first?.name ?? "", cells };
  });
}
