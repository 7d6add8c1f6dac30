import { afterResponsive } from "@/lib/kernel/timeout";

/**
 * Waits for work that must end within a limit. Time in which a busy machine keeps this process from running does not count.
 * @param ms milliseconds
 */
export async function within<Value>(ms: number, work: Promise<Value>): Promise<Value> {
  const late = Promise.withResolvers<never>();
  const cancel = afterResponsive(ms, () => late.reject(new Error(`The work did not end within ${ms} ms.`)));
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    cancel();
  }
}
