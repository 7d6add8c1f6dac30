import "server-only";
import type { LicenseClaims } from "@/lib/kernel/crypto/license-token";
import { env } from "@/lib/kernel/env";
import { licenseTime } from "../rules";
import type { License } from "../schema";

/** A license as the API answers it. */
export function toLicense(claims: LicenseClaims | null, now: Date): License {
  const vendorKeyConfigured = env.LICENSE_PUBLIC_KEY !== undefined;
  if (!claims) {
    const nothing = { businessId: null, licenseName: null, createdAt: null, expiresAt: null, daysLeft: null };
    return { ...nothing, status: "none", vendorKeyConfigured };
  }
  return {
    businessId: claims.businessId,
    licenseName: claims.licenseName,
    createdAt: claims.createdAt.toISOString(),
    expiresAt: claims.expiresAt.toISOString(),
    ...licenseTime(claims.expiresAt, now),
    vendorKeyConfigured,
  };
}
