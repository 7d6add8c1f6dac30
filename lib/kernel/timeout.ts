/** Thrown by `withTimeout`. */
export class TimeoutError extends Error {
  constructor(ms: number) {
    super(`no answer within ${ms} ms`);
    this.name = "TimeoutError";
  }
}

/**
 * Waits for work, but no longer than a limit. The work goes on after that; a failure of it is then ignored. The timer
 * does not keep the process alive.
 *
 * @param ms milliseconds
 * @throws TimeoutError when the limit is reached
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
 * As `withTimeout`, where it does not matter whether the work was done in time.
 * @returns whether it was
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
