import { Store } from "../store";

/** The steps before the final one, in order; the specification's, from what is needed first. */
export const TOUR_STEPS = ["apps", "platforms", "users", "roles", "permissions"] as const;
export type TourStep = (typeof TOUR_STEPS)[number] | "end";

const KEY = "tour";

type Listener = () => void;
const listeners = new Set<Listener>();

/** The index of the tour's step in this tab while it runs, else null. */
export function readProgress(): number | null {
  try {
    const stored = sessionStorage.getItem(KEY);
    const step = Number(stored);
    return stored !== null && Number.isInteger(step) && step >= 0 && step <= TOUR_STEPS.length ? step : null;
  } catch {
    // Storage may be blocked.
    return null;
  }
}

/** Keeps the step that was reached, or with null that the tour was closed. */
export function keepProgress(step: number | null): void {
  try {
    if (step === null) sessionStorage.removeItem(KEY);
    else sessionStorage.setItem(KEY, String(step));
  } catch {
    // Storage may be blocked.
  }
}

/** Whether the tour runs. The navigation then shows all links that the tour points to. */
export const tourRuns = new Store(false);

/** Whether it was done or dismissed on this page, so that it is no longer offered. */
export const tourDismissed = new Store(false);

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
