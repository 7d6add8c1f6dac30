import { type ProfileEnd, profileEnd } from "@slipway/installers";
import type { Release } from "@/lib/features/releases/schema";

/** A profile that expires within this many days is pointed out. */
export const SOON_DAYS = 30;

/**
 * The end of a release's provisioning profile, where it is near or has passed.
 *
 * @returns null where there is no profile that devices see, or its end is more than `SOON_DAYS` away
 */
export function nearProfileEnd({ installer }: Pick<Release, "installer">, now: Date): ProfileEnd | null {
  const end = profileEnd(installer, now);
  return end !== null && end.daysLeft <= SOON_DAYS ? end : null;
}
