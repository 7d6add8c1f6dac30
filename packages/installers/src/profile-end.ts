import type { InstallerDetails } from "./schema";

const DAY_MS = 86_400_000;

/** When an app's provisioning profile expires. */
export interface ProfileEnd {
  date: Date;
  /** Whole days until then; negative once it has expired. */
  daysLeft: number;
}

/**
 * The expiry of an installer's provisioning profile, after which devices neither install nor open the app.
 * @returns null if there is no profile, it does not expire, or it is an App Store profile, which devices never see
 */
export function profileEnd(installer: InstallerDetails, now: Date): ProfileEnd | null {
  if (installer.kind !== "ipa" || installer.profileType === "app-store" || !installer.profileExpiry) return null;
  const date = new Date(installer.profileExpiry);
  return { date, daysLeft: Math.floor((date.getTime() - now.getTime()) / DAY_MS) };
}
