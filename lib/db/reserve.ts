import { AsyncLocalStorage } from "node:async_hooks";
import { processSingleton } from "@/lib/kernel/process-singleton";

// One for all bundles of the process.
const reserve = processSingleton("reserve", () => new AsyncLocalStorage<true>());

/**
 * Runs work that may use the connections which other work leaves free: readiness checks, finding callers, and sign-ins. Whatever
 * else waits for the database, these do not wait for a connection behind it.
 */
export function withReserve<T>(work: () => Promise<T>): Promise<T> {
  return reserve.get().run(true, work);
}

/** Whether this is called by such work. */
export function mayUseReserve(): boolean {
  return reserve.get().getStore() ?? false;
}
