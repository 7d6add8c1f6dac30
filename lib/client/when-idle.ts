/** The latest moment at which work that waits for an idle page is done on a busy one. */
const IDLE_TIMEOUT_MS = 5000;

/** Calls `work` when the page is idle. @returns a function that cancels it */
export function whenIdle(work: () => unknown): () => void {
  // Safari has no requestIdleCallback.
  if (!("requestIdleCallback" in window)) {
    const timer = setTimeout(work, IDLE_TIMEOUT_MS);
    return () => clearTimeout(timer);
  }
  const idle = requestIdleCallback(work, { timeout: IDLE_TIMEOUT_MS });
  return () => cancelIdleCallback(idle);
}
