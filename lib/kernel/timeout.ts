/** Thrown by `withTimeout`. */
export class TimeoutError extends Error {
  constructor(ms: number) {
    super(`no answer within ${ms} ms`);
    this.name = "TimeoutError";
  }
}

/**
 * Waits for work until a limit. After the limit, the work continues and its errors are ignored. The timer does not keep the
 * process alive.
 *
 * @param ms milliseconds
 * @throws TimeoutError after the limit
 */
export async function withTimeout<Value>(work: Promise<Value>, ms: number): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new TimeoutError(ms)), ms);
    timer.unref();
  });
  try {
    return await Promise.race([work, limit]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Like `withTimeout`, but returns false after the limit.
 * @returns whether the work finished in time
 */
export async function doneWithin(work: Promise<unknown>, ms: number): Promise<boolean> {
  try {
    await withTimeout(work, ms);
    return true;
  } catch (error) {
    if (error instanceof TimeoutError) return false;
    throw error;
  }
}

/** The parts in which `afterResponsive` counts its limit. */
const LIMIT_PARTS = 20;

/**
 * Calls back after a limit that counts only time in which this process can respond. When a blocked event loop
 * continues, a plain timer that is due fires before an answer that has arrived is read, so that a busy processor looks
 * like a server that does not answer. Here, a block of any length counts as one of 20 parts of the limit, and an answer
 * that has arrived is read first. The timer does not keep the process alive.
 *
 * @param ms milliseconds
 * @returns a function that cancels the call
 */
export function afterResponsive(ms: number, callback: () => void): () => void {
  let left = LIMIT_PARTS;
  let isCanceled = false;
  let timer: NodeJS.Timeout;
  const next = () => {
    if (isCanceled) return;
    if (left === 0) {
      callback();
      return;
    }
    left -= 1;
    // Immediates run after the event loop has read its sockets; several timers may run before that.
    timer = setTimeout(() => setImmediate(next), ms / LIMIT_PARTS).unref();
  };
  next();
  return () => {
    isCanceled = true;
    clearTimeout(timer);
  };
}
