import { z } from "zod";
import { idSchema } from "@/lib/kernel/ids-schema";

/** How many items an answer names: those that end next, and then those that ended last. */
export const MAX_EXPIRING = 200;
/** Ten years, in days. */
const MAX_WITHIN_DAYS = 3650;

/**
 * What ends: the provisioning profile and the signing certificate of a latest release, a certificate file, one whose key signs the APKs
 * of app bundles, an API token, the license, the certificate of the console's address, and the certificate that signs the profiles
 * by which devices are registered.
 */
export const EXPIRING_KINDS = [
  "profile",
  "signing_certificate",
  "certificate",
  "signing_key",
  "token",
  "license",
  "tls",
  "enrolment",
] as const;
export type ExpiringKind = (typeof EXPIRING_KINDS)[number];

/** @param within days from now; what has ended is answered too */
export const getExpiringInput = z.strictObject({
  within: z.coerce.number().int().min(1).max(MAX_WITHIN_DAYS).default(MAX_WITHIN_DAYS),
});

const named = z.object({ id: idSchema, name: z.string() });

const expiringSchema = z.object({
  kind: z.enum(EXPIRING_KINDS),
  /** Of the release, certificate or token; of what exists once, its kind. */
  id: z.string(),
  name: z.string(),
  endsAt: z.iso.datetime(),
  /** Days of the calendar in UTC; 0 on the day itself, negative after it. */
  daysLeft: z.int(),
  /** Who stops working at that end. */
  takesDown: z.object({
    /** Latest releases that can no longer be installed. */
    releases: z.int(),
    /** People to whom these were distributed. */
    testers: z.int(),
    /** API tokens that are refused, or that may read the certificate. */
    pipelines: z.int(),
  }),
  /** Null for what belongs to the whole console. */
  app: named.nullable(),
  environment: named.nullable(),
  release: z.object({ id: idSchema, version: z.string(), buildNumber: z.string(), platform: z.string() }).nullable(),
});
export type Expiring = z.output<typeof expiringSchema>;

/** By their ends, the first one first. */
export const expiringOutput = z.object({ items: z.array(expiringSchema), total: z.int() });
