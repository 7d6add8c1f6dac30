import { setTimeout as delay } from "node:timers/promises";
import { DAY_MS, MINUTE_MS } from "@/lib/kernel/time";

/** Waits for the next day in UTC if this one ends within a minute, for tests that count days. */
export async function awayFromMidnight(): Promise<void> {
  const leftMs = DAY_MS - (Date.now() % DAY_MS);
  if (leftMs < MINUTE_MS) await delay(leftMs);
}
