import "server-only";
import { createServer, type Server } from "node:http";
import { ConsoleResponse } from "@/lib/http/server/console-response";
import type { ConsoleServer } from "@/lib/http/server/console-server";
import { env } from "@/lib/kernel/env";
import { log } from "@/lib/kernel/log";
import { processSingleton } from "@/lib/kernel/process-singleton";

interface StartState {
  /** `waiting`: for the database or the store. */
  phase: "starting" | "waiting" | "started";
  /** Listens while the phase is `waiting`. */
  server: Server | null;
}

const state = processSingleton<StartState>("start-state", () => ({ phase: "starting", server: null }));

/** Whether this instance waits for its database or store. */
export function isWaiting(): boolean {
  return state.get().phase === "waiting";
}

/** Whether this instance has started. */
export function hasStarted(): boolean {
  return state.get().phase === "started";
}

/**
 * Answers health checks from now until `endWait`: live, but not ready. Only the loopback interface is listened on, so that a proxy on
 * another host or in another container still uses the other instances.
 * @param server answers them; it does not listen yet
 */
export function beginWait(server: ConsoleServer): void {
  const current = state.get();
  if (current.phase !== "starting") return;
  current.phase = "waiting";
  const early = createServer({ ServerResponse: ConsoleResponse }, (...exchange) =>
    server.http.emit("request", ...exchange),
  );
  // Another program may have the port. The instance then fails as it would have without a wait.
  early.on("error", (error) => log.warn({ err: error }, "health checks are not answered during the start"));
  current.server = early.listen(env.PORT, "127.0.0.1");
}

/** Ends what `beginWait` began and frees the port. Without it, does nothing. */
export async function endWait(): Promise<void> {
  const current = state.get();
  current.phase = "started";
  const { server } = current;
  if (!server) return;
  current.server = null;
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
