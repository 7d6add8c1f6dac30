import "server-only";
import type { EventEmitter } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { processSingleton } from "@/lib/kernel/process-singleton";

/** What `server.mjs` hands to the instance. */
export interface NextServer {
  /** The address to listen on. */
  hostname: string;
  /** Resolves when requests can be handled. */
  prepared: Promise<void>;
  handle(request: IncomingMessage, response: ServerResponse): Promise<void>;
  /** Emits `upgrade` to Next, for hot reload. */
  upgrades: EventEmitter;
  /** Ends what the development server runs. */
  close(): Promise<void>;
}

/** Next as `server.mjs` has started it. */
export const nextServer = processSingleton<NextServer>("next-server", () => {
  throw new Error("start the server with server.mjs");
});
