"use client";

import { useEffect, useEffectEvent } from "react";

/** The latest moment at which the work is done on a busy page. */
const IDLE_TIMEOUT_MS = 5000;

/** Does some work once, when the page is idle. It may fail, for example because there is no connection. */
export function useWhenIdle(work: () => unknown): void {
  const run = useEffectEvent(() => {
    Promise.resolve(work()).catch(() => undefined);
  });
  useEffect(() => {
    // Safari has no requestIdleCallback.
    if (!("requestIdleCallback" in window)) {
      const timeout = setTimeout(() => run(), IDLE_TIMEOUT_MS);
      return () => clearTimeout(timeout);
    }
    const idle = requestIdleCallback(() => run(), { timeout: IDLE_TIMEOUT_MS });
    return () => cancelIdleCallback(idle);
  }, []);
}
