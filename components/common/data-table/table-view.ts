"use client";

import { usePathname } from "next/navigation";
import { useSyncExternalStore } from "react";

/** How a person wants to see a table on desktops. */
export type TableView = {
  /** The keys of the columns that are not shown. */
  hidden: readonly string[];
  dense: boolean;
};

/** The storage item with the views by the path of the table's page. It contains nothing private. */
const VIEWS_ITEM = "slipway.tables";

type Views = Readonly<Record<string, TableView>>;

/** The views of a storage item; what is no view is left out. */
export function parseViews(text: string | null): Views {
  try {
    const entries = Object.entries(JSON.parse(text ?? "{}") as Record<string, Partial<TableView> | null>);
    return Object.fromEntries(
      entries.flatMap(([path, view]) =>
        Array.isArray(view?.hidden) && view.hidden.every((key) => typeof key === "string")
          ? [[path, { hidden: view.hidden, dense: view.dense === true }]]
          : [],
      ),
    );
  } catch {
    return {};
  }
}

let views: Views | undefined;
const listeners = new Set<() => void>();

function read(): Views {
  try {
    views ??= parseViews(localStorage.getItem(VIEWS_ITEM));
  } catch {
    // Storage is blocked.
    views ??= {};
  }
  return views;
}

function subscribe(listener: () => void): () => void {
  const onStorage = ({ key }: StorageEvent) => {
    if (key !== VIEWS_ITEM) return;
    views = undefined;
    listener();
  };
  listeners.add(listener);
  window.addEventListener("storage", onStorage);
  return () => {
    listeners.delete(listener);
    window.removeEventListener("storage", onStorage);
  };
}

/** The view of a table that nobody has changed. */
export function defaultView(columns: readonly ViewColumn[]): TableView {
  return { hidden: columns.flatMap(({ key, isHidden }) => (isHidden ? [key] : [])), dense: false };
}

/** Whether two views show the same. */
export function isSameView(one: TableView, other: TableView): boolean {
  const hidden = new Set(one.hidden);
  return (
    one.dense === other.dense && hidden.size === other.hidden.length && other.hidden.every((key) => hidden.has(key))
  );
}

/** The view of the tables of this page, kept in the browser, and a function that changes it. */
export function useTableView(columns: readonly ViewColumn[]): [TableView, (view: TableView) => void] {
  const path = usePathname();
  const stored = useSyncExternalStore(
    subscribe,
    () => read()[path],
    () => undefined,
  );
  const byDefault = defaultView(columns);
  const set = (next: TableView) => {
    const { [path]: _, ...others } = read();
    views = isSameView(next, byDefault) ? others : { ...others, [path]: next };
    try {
      localStorage.setItem(VIEWS_ITEM, JSON.stringify(views));
    } catch {
      // It is kept until the page is left.
    }
    for (const listener of listeners) listener();
  };
  return [stored ?? byDefault, set];
}

/** A column that can be hidden. */
export type ViewColumn = {
  key: string;
  header: string;
  /** Whether it is not shown until somebody chooses it. */
  isHidden?: boolean;
};
