import "server-only";
import { log } from "@/lib/kernel/log";
import { withTimeout } from "@/lib/kernel/timeout";
import type { StorageDriver } from "./driver";

/** How long the page waits for the store. */
const STORE_TIMEOUT_MS = 1_500;

/** Whether the store responds, and what uploads may still use, in bytes; null if the store does not tell. */
export async function storeState(store: StorageDriver): Promise<{ responds: boolean; freeBytes: number | null }> {
  const ask = async () => {
    await store.ping();
    const space = await store.space?.();
    return { responds: true, freeBytes: space ? Math.max(0, space.freeBytes - space.reserveBytes) : null };
  };
  try {
    return await withTimeout(ask(), STORE_TIMEOUT_MS);
  } catch (error) {
    log.warn({ err: error }, "the store does not respond");
    return { responds: false, freeBytes: null };
  }
}
