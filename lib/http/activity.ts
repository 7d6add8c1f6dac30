import { processSingleton } from "@/lib/kernel/process-singleton";
import type { Exchange } from "./connections";

/** What the HTTP server of this process has to do. */
interface Activity {
  /** The requests that are under way, by their ID. */
  exchanges: Map<string, Exchange>;
  /** The number of connections that were accepted since the start. */
  acceptedConnections: number;
}

export const activity = processSingleton<Activity>("http-activity", () => ({
  exchanges: new Map(),
  acceptedConnections: 0,
}));
