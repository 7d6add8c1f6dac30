import "server-only";
import { metrics } from "@/lib/kernel/metrics";
import { inSpan } from "@/lib/kernel/tracing";
import { aside } from "@/lib/kernel/turns";
import { type StorageDriver, StorageError } from "./driver";

/** The calls that are counted. `list` is read page by page by the sweeper alone, and presigning needs no store. */
const OBSERVED: ReadonlySet<PropertyKey> = new Set<keyof StorageDriver>([
  "put",
  "head",
  "get",
  "delete",
  "createMultipart",
  "putPart",
  "listParts",
  "completeMultipart",
  "abortMultipart",
  "ping",
]);

/** `ok`, the kind of the failure, or `interrupted` if the caller's own body or signal ended the call. */
function outcomeOf(error: unknown): string {
  return error instanceof StorageError ? error.failure : "interrupted";
}

/** Counts and times the calls of a store, and records them as spans. */
export function observed(driver: StorageDriver): StorageDriver {
  return new Proxy(driver, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name, target);
      if (typeof member !== "function") return member;
      if (!OBSERVED.has(name)) return member.bind(target);
      const call = String(name);
      return (...args: unknown[]) =>
        inSpan(`store ${call}`, { kind: "client", attributes: { "slipway.store": target.name } }, async () => {
          const { storeCalls, storeSeconds } = metrics.get();
          const end = storeSeconds.startTimer({ call });
          try {
            const result = await aside(() => (member as (...args: unknown[]) => Promise<unknown>).apply(target, args));
            storeCalls.inc({ call, outcome: "ok" });
            return result;
          } catch (error) {
            storeCalls.inc({ call, outcome: outcomeOf(error) });
            throw error;
          } finally {
            end();
          }
        });
    },
  });
}
