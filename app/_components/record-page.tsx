import { Fragment, type ReactNode } from "react";

export type RecordPageProps = {
  /** The ID of the record, or those of what the page lists. */
  of: string | readonly (string | undefined)[];
  children: ReactNode;
};

/**
 * A page about the record that its search parameters name. Next keeps the state of a page if only its search parameters change. With
 * another record, all of it begins again: its forms, its open dialogs, and what the user has just done.
 */
export function RecordPage({ of, children }: RecordPageProps) {
  return <Fragment key={typeof of === "string" ? of : of.join(" ")}>{children}</Fragment>;
}
