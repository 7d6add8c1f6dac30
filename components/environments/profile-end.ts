import type { Release } from "@/lib/features/releases/schema";

/** A profile that ends within so many days is pointed out. */
export const SOON_DAYS = 30;

const DAY_MS = 86_400_000;

/** When a release's provisioning profile ends. */
export type ProfileEnd = {
  date: Date;
  /** Whole days until then; negative once it has ended. */
  daysLeft: number;
};

/**
 * The end of a release's provisioning profile, where it is near or has passed: from then on iPhones and iPads neither
 * install nor open the app.
 *
 * @returns null where there is no profile, its end is more than `SOON_DAYS` away, or devices never see it, as with
 *   those for the App Store
 */
export function nearProfileEnd({ installer }: Pick<Release, "installer">, now: Date): ProfileEnd | null {
  if (installer.kind !== "ipa" || installer.profileType === "app-store" || !installer.profileExpiry) return null;
  const date = new Date(installer.profileExpiry);
  const daysLeft = Math.floor((date.getTime() - now.getTime()) / DAY_MS);
  return daysLeft <= SOON_DAYS ? { date, daysLeft } : null;
}
