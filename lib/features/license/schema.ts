import { z } from "zod";

/** The license's state. `none` also covers a stored license that the vendor's key does not confirm. */
const LICENSE_STATUSES = ["valid", "near_expiry", "expired", "none"] as const;
export type LicenseStatus = (typeof LICENSE_STATUSES)[number];

export const licenseSchema = z.object({
  businessId: z.string().nullable(),
  licenseName: z.string().nullable(),
  createdAt: z.iso.datetime().nullable(),
  expiresAt: z.iso.datetime().nullable(),
  status: z.enum(LICENSE_STATUSES),
  /** Days that have begun until the license ends; 0 once it has. */
  daysLeft: z.int().nullable(),
  /** Whether the vendor's key is configured, without which no license is accepted. */
  vendorKeyConfigured: z.boolean(),
});
export type License = z.output<typeof licenseSchema>;

/** Characters of a token; one with short names has about 300. */
const MAX_TOKEN_LENGTH = 4096;

export const updateLicenseInput = z.strictObject({
  token: z.string().trim().min(1).max(MAX_TOKEN_LENGTH),
});
