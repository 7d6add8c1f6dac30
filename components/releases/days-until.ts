import { DAY_MS } from "@/lib/kernel/time";

/** Whole days until a time; 0 on the last day. */
export function daysUntil(instant: Date, now: Date): number {
  return Math.floor((instant.getTime() - now.getTime()) / DAY_MS);
}
