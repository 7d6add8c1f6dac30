import { useEffect } from "react";
import { Store, useStore } from "@/components/common/store";

/** What the user waits for. */
type Pending = {
  /** How many components report that they are pending. */
  reports: number;
  /** The URL of the page that is being loaded. */
  href: string | null;
};

const pending = new Store<Pending>({ reports: 0, href: null });

function addReports(count: number): void {
  const state = pending.get();
  pending.set({ ...state, reports: state.reports + count });
}

/** Whether any component reports that it is pending. */
export function useIsPending(): boolean {
  return useStore(pending, ({ reports }) => reports > 0);
}

/** The URL of the page that is being loaded; null while none is. */
export function usePendingHref(): string | null {
  return useStore(pending, ({ href }) => href);
}

/** Reports that a component is pending, which shows the bar at the top of the window. */
export function useReportPending(isPending: boolean): void {
  useEffect(() => {
    if (!isPending) return;
    addReports(1);
    return () => addReports(-1);
  }, [isPending]);
}

/** Sets the URL of the page that is being loaded, or null when it has been. */
export function setPendingHref(href: string | null): void {
  const state = pending.get();
  if (href !== state.href) pending.set({ ...state, href });
}
