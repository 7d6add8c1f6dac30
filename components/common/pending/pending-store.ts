import { useEffect, useSyncExternalStore } from "react";

/** What the user waits for. */
type Pending = {
  /** How many components report that they are pending. */
  reports: number;
  /** The URL of the page that is being loaded. */
  href: string | null;
};

let current: Pending = { reports: 0, href: null };
const listeners = new Set<() => void>();

function update(change: Partial<Pending>): void {
  current = { ...current, ...change };
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

const isPending = () => current.reports > 0;
const pendingHref = () => current.href;

/** Whether any component reports that it is pending. */
export function useIsPending(): boolean {
  return useSyncExternalStore(subscribe, isPending, () => false);
}

/** The URL of the page that is being loaded; null while none is. */
export function usePendingHref(): string | null {
  return useSyncExternalStore(subscribe, pendingHref, () => null);
}

/** Reports that a component is pending, which shows the bar at the top of the window. */
export function useReportPending(pending: boolean): void {
  useEffect(() => {
    if (!pending) return;
    update({ reports: current.reports + 1 });
    return () => update({ reports: current.reports - 1 });
  }, [pending]);
}

/** Sets the URL of the page that is being loaded, or null when it has been. */
export function setPendingHref(href: string | null): void {
  if (href !== current.href) update({ href });
}
