import "server-only";
import type { Db } from "@/lib/db/client";
import { type LicenseClaims, readLicenseToken } from "@/lib/kernel/crypto/license-token";
import { env } from "@/lib/kernel/env";
import { ApiError } from "@/lib/kernel/errors";

/** The ID of the only row, which a migration inserts. */
export const LICENSE_ROW = 1;

/**
 * Returns the claims of a stored license; null if there is none, or if the vendor's key does not confirm it, so that a row
 * that was changed in the database counts for nothing.
 */
export async function claimsOfStored(token: string | null): Promise<LicenseClaims | null> {
  if (token === null) return null;
  try {
    return await readLicenseToken(token, env.LICENSE_PUBLIC_KEY);
  } catch (error) {
    if (error instanceof ApiError) return null;
    throw error;
  }
}

/** Returns the claims of the stored license, as `claimsOfStored`. */
export async function readCurrentLicense(db: Db): Promise<LicenseClaims | null> {
  const { token } = await db.license.findUniqueOrThrow({ where: { id: LICENSE_ROW } });
  return claimsOfStored(token);
}
