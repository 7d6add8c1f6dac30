import type { ReactNode } from "react";

/** A filter of a list; its keys are query parameters. */
export type TableFilter =
  | { type?: "select"; key: string; label: string; options: readonly { value: string; label: string }[] }
  | { type: "dates"; fromKey: string; toKey: string; label: string }
  /** A component such as `SearchFilter`, which reads and sets the parameter itself. */
  | { type: "control"; key: string; control: ReactNode };

/** The query parameters of a filter. */
export function keysOfFilter(filter: TableFilter): string[] {
  return filter.type === "dates" ? [filter.fromKey, filter.toKey] : [filter.key];
}
