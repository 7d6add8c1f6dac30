import { type ProfileEnd, profileEnd } from "@slipway/installers";
import type { Release } from "@/lib/features/releases/schema";

/** A profile that expires within this many days is marked. */
export const SOON_DAYS = 30;

/**
 * The expiry of a release's provisioning profile, if it is near or has passed.
 *
 * @returns null if there is no profile that devices check, or it expires in more than `SOON_DAYS`
 */
export function nearProfileEnd({ installer }: Pick<Release, "installer">, now: Date): ProfileEnd | null {
  const end = profileEnd(installer, now);
  return end !== null && end.daysLeft <= SOON_DAYS ? end : null;
}
