import "server-only";
import type { Db } from "@/lib/db/client";
import { env } from "@/lib/kernel/env";
import { ApiError } from "@/lib/kernel/errors";
import { readStoredToken } from "../data";
import { licenseTime } from "../rules";
import type { License } from "../schema";
import { type LicenseClaims, readLicenseToken } from "./license-token";

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

/**
 * Returns the claims of the stored license; null if there is none, or if the vendor's key does not confirm it, so that a row
 * that was changed in the database counts for nothing.
 */
export async function readCurrentLicense(db: Db): Promise<LicenseClaims | null> {
  const token = await readStoredToken(db);
  if (token === null) return null;
  try {
    return await readLicenseToken(token, env.LICENSE_PUBLIC_KEY);
  } catch (error) {
    if (error instanceof ApiError) return null;
    throw error;
  }
}
