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
