import { daysUntilExpiry } from "@slipway/certificates";
import { profileEnd } from "@slipway/installers";
import type { Release } from "@/lib/features/releases/schema";

/** A profile that expires within this many days is marked. */
export const SOON_DAYS = 30;

/** When a release's provisioning profile expires. */
type ProfileEnd = {
  date: Date;
  hasEnded: boolean;
  /** 0 on the day itself, by days of the calendar in UTC, as the calendar of expiries counts them. */
  daysLeft: number;
};

/**
 * The expiry of a release's provisioning profile, if it is near or has passed.
 *
 * @returns null if there is no profile that devices check, or it expires in more than `SOON_DAYS`
 */
export function nearProfileEnd({ installer }: Pick<Release, "installer">, now: Date): ProfileEnd | null {
  const date = profileEnd(installer);
  if (date === null) return null;
  const daysLeft = daysUntilExpiry(date, now);
  return daysLeft <= SOON_DAYS ? { date, hasEnded: date <= now, daysLeft } : null;
}
