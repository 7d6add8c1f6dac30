import type { InstallerDetails } from "./schema";

/**
 * The expiry of an installer's provisioning profile, after which devices neither install nor open the app.
 * @returns null if there is no profile, it does not expire, or it is an App Store profile, which devices never see
 */
export function profileEnd(installer: InstallerDetails): Date | null {
  if (installer.kind !== "ipa" || installer.profileType === "app-store" || !installer.profileExpiry) return null;
  return new Date(installer.profileExpiry);
}
