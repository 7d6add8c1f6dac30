import { daysUntilExpiry } from "@slipway/certificates";
import { DAY_MS } from "@/lib/kernel/time";

/** The first instant that is not within some days of the calendar in UTC. */
export function endOfPeriod(now: Date, days: number): Date {
  return new Date((Math.floor(now.getTime() / DAY_MS) + days + 1) * DAY_MS);
}

/**
 * The end of a certificate as the check of an installation shows it: `2026-01-01 – 2026-04-01`, perhaps with more behind. The time of
 * day is not shown, so the certificate counts as valid until the end of its last day.
 */
export function endOfSeen(seen: string): Date | null {
  const day = /^\d{4}-\d{2}-\d{2} – (\d{4}-\d{2}-\d{2})/.exec(seen)?.[1];
  return day === undefined ? null : new Date(`${day}T23:59:59.000Z`);
}

/** How many days are left, negative after the end. */
export const daysLeft = daysUntilExpiry;
