import { Store } from "../store";

/** The steps before the final one, in order; the specification's. */
export const TOUR_STEPS = ["roles", "users", "platforms", "apps", "permissions"] as const;
export type TourStep = (typeof TOUR_STEPS)[number] | "end";

const KEY = "tour";
const CLOSED = "closed";

type Listener = () => void;
const listeners = new Set<Listener>();

/** The tour in this tab: the index of its step while it runs, `closed` after the user closed it, null before. */
export function readProgress(): number | typeof CLOSED | null {
  try {
    const stored = sessionStorage.getItem(KEY);
    if (stored === null || stored === CLOSED) return stored;
    const step = Number(stored);
    return Number.isInteger(step) && step >= 0 && step <= TOUR_STEPS.length ? step : null;
  } catch {
    // Storage may be blocked. The tour then does not start by itself with each page.
    return CLOSED;
  }
}

export function keepProgress(progress: number | typeof CLOSED): void {
  try {
    sessionStorage.setItem(KEY, String(progress));
  } catch {
    // Storage may be blocked.
  }
}

/** Whether the tour runs. The navigation then shows all links that the tour points to. */
export const tourRuns = new Store(false);

/** Starts the tour at its first step. */
export function startTour(): void {
  keepProgress(0);
  for (const listener of listeners) listener();
}

/** Calls `listener` when the tour is started. @returns a function that removes the listener */
export function onTourStart(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
