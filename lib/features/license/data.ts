import "server-only";
import type { Db } from "@/lib/db/client";
import { env } from "@/lib/kernel/env";
import { ApiError } from "@/lib/kernel/errors";
import { type LicenseClaims, readLicenseToken } from "./internal/license-token";

/** The ID of the only row, which a migration inserts. */
export const LICENSE_ROW = 1;

/** Returns the token of the license; null if there is none. */
export async function readStoredToken(db: Db): Promise<string | null> {
  return (await db.license.findUniqueOrThrow({ where: { id: LICENSE_ROW } })).token;
}

export async function storeToken(db: Db, token: string): Promise<void> {
  await db.license.update({ where: { id: LICENSE_ROW }, data: { token } });
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
