import "server-only";
import type { KeyObject } from "node:crypto";
import { compactVerify, errors } from "jose";
import { z } from "zod";
import { ApiError } from "@/lib/kernel/errors";

/** Why a token is refused; each reason has its text below `errors.invalid_license`. */
export type LicenseRefusal = "malformed" | "algorithm" | "signature" | "claims" | "future" | "expired" | "noKey";

/** What a token says. */
export interface LicenseClaims {
  businessId: string;
  licenseName: string;
  createdAt: Date;
  expiresAt: Date;
}

/** Seconds by which the vendor's clock may be ahead of the console's. */
const CLOCK_TOLERANCE_SECONDS = 300;

/** The end of the year 9999, the last that an ISO 8601 date without a sign can name; Unix seconds. */
const LAST_SECOND = 253_402_300_799;

const instant = z.int().positive().max(LAST_SECOND);
const claimsSchema = z
  .object({
    business_id: z.string().trim().min(1).max(200),
    license_name: z.string().trim().min(1).max(200),
    iat: instant,
    nbf: instant.optional(),
    exp: instant,
  })
  .refine(({ iat, exp }) => iat < exp);

function refusal(reason: LicenseRefusal, cause?: unknown): ApiError {
  return new ApiError("invalid_license", { detailKey: reason, cause });
}

/** Returns the payload of a token that the vendor signed. */
async function verifiedPayload(token: string, vendorKey: KeyObject): Promise<unknown> {
  try {
    // RFC 9864 gives EdDSA with this curve the name Ed25519.
    const { payload } = await compactVerify(token, vendorKey, { algorithms: ["EdDSA", "Ed25519"] });
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(payload));
  } catch (error) {
    if (error instanceof errors.JOSEAlgNotAllowed) throw refusal("algorithm", error);
    if (error instanceof errors.JWSSignatureVerificationFailed) throw refusal("signature", error);
    throw refusal("malformed", error);
  }
}

/**
 * Returns the claims of a license token (RFC 7519, signed with EdDSA), without judging the time.
 * @param vendorKey the vendor's public key (Ed25519); undefined if none is configured
 * @throws ApiError `invalid_license` with the reason
 */
export async function readLicenseToken(
  token: string,
  vendorKey: KeyObject | undefined,
): Promise<LicenseClaims & { validFrom: Date }> {
  if (!vendorKey) throw refusal("noKey");
  const parsed = claimsSchema.safeParse(await verifiedPayload(token, vendorKey));
  if (!parsed.success) throw refusal("claims", parsed.error);
  const { business_id, license_name, iat, nbf, exp } = parsed.data;
  return {
    businessId: business_id,
    licenseName: license_name,
    createdAt: new Date(iat * 1000),
    expiresAt: new Date(exp * 1000),
    validFrom: new Date((Math.max(iat, nbf ?? 0) - CLOCK_TOLERANCE_SECONDS) * 1000),
  };
}

/**
 * Returns the claims of a token that is to be the console's license from now on.
 * @throws ApiError `invalid_license` with the reason
 */
export async function acceptLicenseToken(
  token: string,
  vendorKey: KeyObject | undefined,
  now: Date,
): Promise<LicenseClaims> {
  const { validFrom, ...claims } = await readLicenseToken(token, vendorKey);
  if (validFrom > now) throw refusal("future");
  if (claims.expiresAt <= now) throw refusal("expired");
  return claims;
}
