import type { Clock, Connection } from "@/lib/client/upload/uploader";

/** The page's clock. */
export const browserClock: Clock = {
  now: () => performance.now(),
  after: (ms, run) => {
    const timeout = window.setTimeout(run, ms);
    return () => window.clearTimeout(timeout);
  },
};

/** Whether the browser has a network connection, not whether the server can be reached. */
export const browserConnection: Connection = {
  online: () => navigator.onLine,
  subscribe: (listener) => {
    window.addEventListener("online", listener);
    window.addEventListener("offline", listener);
    return () => {
      window.removeEventListener("online", listener);
      window.removeEventListener("offline", listener);
    };
  },
};
