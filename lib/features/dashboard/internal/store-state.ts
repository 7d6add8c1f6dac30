import "server-only";
import { log } from "@/lib/kernel/log";
import type { StorageDriver } from "@/lib/storage/driver";

/** How long the page waits for the store. */
const STORE_TIMEOUT_MS = 1_500;

/** Whether the store responds, and what uploads may still use, in bytes; null if the store does not tell. */
export async function storeState(store: StorageDriver): Promise<{ responds: boolean; freeBytes: number | null }> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error("the store did not respond in time")), STORE_TIMEOUT_MS);
  });
  const ask = async () => {
    await store.ping();
    const space = await store.space?.();
    return { responds: true, freeBytes: space ? Math.max(0, space.freeBytes - space.reserveBytes) : null };
  };
  try {
    return await Promise.race([ask(), timeout]);
  } catch (error) {
    log.warn({ err: error }, "the store does not respond");
    return { responds: false, freeBytes: null };
  } finally {
    clearTimeout(timer);
  }
}
