const DAY_MS = 86_400_000;

/** Whole days that are left until an instant; 0 on the last one. */
export function daysUntil(instant: Date, now: Date): number {
  return Math.floor((instant.getTime() - now.getTime()) / DAY_MS);
}
