import { processSingleton } from "@/lib/kernel/process-singleton";

/** What the HTTP server of this process has to do. */
interface Activity {
  /** The number of requests that are under way. */
  requests: number;
  /** The number of connections that were accepted since the start. */
  acceptedConnections: number;
}

export const activity = processSingleton<Activity>("http-activity", () => ({ requests: 0, acceptedConnections: 0 }));
