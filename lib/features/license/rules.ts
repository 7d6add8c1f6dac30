import { DAY_MS } from "@/lib/kernel/time";
import type { LicenseStatus } from "./schema";

/** A warning is shown for this long before a license ends. */
export const NEAR_EXPIRY_DAYS = 30;

/** What a license says about its time. @param expiresAt the instant at which it ends */
export function licenseTime(expiresAt: Date, now: Date): { status: Exclude<LicenseStatus, "none">; daysLeft: number } {
  const leftMs = expiresAt.getTime() - now.getTime();
  if (leftMs <= 0) return { status: "expired", daysLeft: 0 };
  return {
    status: leftMs <= NEAR_EXPIRY_DAYS * DAY_MS ? "near_expiry" : "valid",
    daysLeft: Math.ceil(leftMs / DAY_MS),
  };
}
