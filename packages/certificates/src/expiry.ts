import { DAY_MS } from "./time";

/** How many days before its expiration a certificate is mentioned, the last time on the day itself. */
export const EXPIRY_STEPS = [30, 7, 1, 0] as const;

export type ExpiryStep = (typeof EXPIRY_STEPS)[number];

/** Days of the calendar, in UTC. */
const dayOf = (date: Date) => Math.floor(date.getTime() / DAY_MS);

/** How many days are left until a certificate expires, 0 on the day itself, by days of the calendar in UTC. */
export function daysUntilExpiry(expirationDate: Date, now: Date): number {
  return dayOf(expirationDate) - dayOf(now);
}

/**
 * How soon a certificate expires: the latest step that it has reached, by days of the calendar in UTC.
 * @returns null for one that has more than 30 days
 */
export function expiryStep(expirationDate: Date, now: Date): ExpiryStep | "expired" | null {
  if (expirationDate <= now) return "expired";
  const days = daysUntilExpiry(expirationDate, now);
  return EXPIRY_STEPS.findLast((step) => days <= step) ?? null;
}

/** The first instant at which a certificate may expire without having reached a step. */
export function expiryHorizon(now: Date): Date {
  return new Date((dayOf(now) + EXPIRY_STEPS[0] + 1) * DAY_MS);
}
