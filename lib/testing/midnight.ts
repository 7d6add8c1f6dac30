import { setTimeout as delay } from "node:timers/promises";
import { DAY_MS, MINUTE_MS, SECOND_MS } from "@/lib/kernel/time";

/**
 * Waits for the next day in UTC if this one ends within a minute, for tests that count days. To be called in a hook: the time limit of a
 * test may be shorter than the wait.
 */
export async function awayFromMidnight(): Promise<void> {
  const leftMs = DAY_MS - (Date.now() % DAY_MS);
  // A second more: timers may fire a little early.
  if (leftMs < MINUTE_MS) await delay(leftMs + SECOND_MS);
}
