import type { VariablesMatrix } from "@/lib/features/configuration/schema";

/** The most characters of a value that a cell contains. */
const MAX_SHOWN = 120;

/** An entry of one of two compared environments. */
type ComparedCell = Pick<VariablesMatrix["rows"][number]["cells"][number], "state" | "onlyGap"> & {
  /** The beginning of a development variable's value, on one line. */
  text?: string;
  /** Whether `text` is the whole value. */
  isWhole?: boolean;
};

/** A key in two compared environments. */
export type ComparedRow = {
  key: string;
  from: ComparedCell;
  to: ComparedCell;
  /** Whether the values are the same; undefined if one is missing, or if that is not known. */
  same: boolean | undefined;
};

/** The rows of a comparison of two environments. */
export function toComparedRows(rows: VariablesMatrix["rows"]): ComparedRow[] {
  return rows.flatMap(({ key, cells: [from, to] }) => {
    if (!from || !to) return [];
    const areBoth = from.state !== "missing" && to.state !== "missing";
    return [{ key, from: toCell(from), to: toCell(to), same: areBoth ? to.same : undefined }];
  });
}

function toCell({ state, onlyGap, value }: VariablesMatrix["rows"][number]["cells"][number]): ComparedCell {
  if (value === undefined) return { state, onlyGap };
  const [line = ""] = value.split(/\r\n|[\r\n]/, 1);
  const text = [...line.slice(0, MAX_SHOWN * 2)].slice(0, MAX_SHOWN).join("");
  return { state, onlyGap, text, isWhole: text === value };
}

/** A row, once its secret values have been compared. */
export function withComparison(row: ComparedRow, differs: ReadonlyMap<string, boolean>): ComparedRow {
  const isDifferent = differs.get(row.key);
  return isDifferent === undefined || !areBothSet(row) ? row : { ...row, same: !isDifferent };
}

/** Whether both environments have the key. */
export function areBothSet({ from, to }: ComparedRow): boolean {
  return from.state !== "missing" && to.state !== "missing";
}

/** Whether a copy to the second environment may change something there; it changes no status. */
export function isCopyable({ from, same }: ComparedRow): boolean {
  return from.state !== "missing" && same !== true;
}

/** Whether a row belongs to the differences, as far as it is known. */
export function isDifference({ from, to, same }: ComparedRow): boolean {
  return same !== true || from.state !== to.state;
}
