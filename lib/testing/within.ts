import { afterResponsive } from "@/lib/kernel/timeout";

/**
 * Waits for work that must end within a limit, of which only the time in which this process can respond counts (`afterResponsive`).
 * @param ms milliseconds
 * @throws Error after the limit; the work goes on, and its errors are ignored
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
