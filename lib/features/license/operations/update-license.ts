import "server-only";
import { defineCommand } from "@/lib/api/operation";
import { changesBetween } from "@/lib/audit/write";
import { lockRow } from "@/lib/db/locks";
import { LICENSE_ROW, readCurrentLicense } from "@/lib/expiry/current-license";
import { acceptLicenseToken, type LicenseClaims } from "@/lib/kernel/crypto/license-token";
import { env } from "@/lib/kernel/env";
import { storeToken } from "../data";
import { toLicense } from "../internal/current-license";
import { licenseSchema, updateLicenseInput } from "../schema";

const recorded = (claims: LicenseClaims | null) => ({
  businessId: claims?.businessId ?? null,
  licenseName: claims?.licenseName ?? null,
  createdAt: claims?.createdAt ?? null,
  expiresAt: claims?.expiresAt ?? null,
});

/** Replaces the license by the one in a token that the vendor signed. The token is checked without a connection. */
export const updateLicense = defineCommand({
  area: "external-services",
  name: "update-license",
  summary: "Replace the license with a token of the vendor",
  access: "admin",
  input: updateLicenseInput,
  output: licenseSchema,
  status: 200,
  errors: ["invalid_license"],
  audit: { table: "License", action: "update" },
  prepare: ({ input, request }) => acceptLicenseToken(input.token, env.LICENSE_PUBLIC_KEY, request.now),
  async handler({ input, tx, request, prepared }) {
    await lockRow(tx, "License", LICENSE_ROW);
    const before = await readCurrentLicense(tx);
    await storeToken(tx, input.token);
    return {
      output: toLicense(prepared, request.now),
      audit: { recordId: String(LICENSE_ROW), changes: changesBetween(recorded(before), recorded(prepared)) },
    };
  },
});
