import { ApiCallError } from "./problem";

/** Whether the page is visible and the browser is online, so that an answer would be seen. */
export function isWatched(): boolean {
  return document.visibilityState === "visible" && navigator.onLine;
}

/**
 * Asks the server again and again, while the page is visible and the browser is online. A question that is not answered, for example
 * because the connection was lost, is asked again. The page is not loaded again for it: without a connection, `router.refresh()` leaves
 * the page.
 * @param ask is not called before its previous call has ended
 * @returns what stops it
 */
export function poll(ask: (signal: AbortSignal) => Promise<void>, periodMs: number): () => void {
  const controller = new AbortController();
  const { signal } = controller;
  let asking = false;
  const attempt = async () => {
    if (asking || !isWatched()) return;
    asking = true;
    try {
      await ask(signal);
    } catch (error) {
      if (!signal.aborted && !(error instanceof ApiCallError)) throw error;
    } finally {
      asking = false;
    }
  };
  const timer = setInterval(() => void attempt(), periodMs);
  return () => {
    clearInterval(timer);
    controller.abort();
  };
}
