import { z } from "zod";
import { csvFormat, listInput, listOutput, repeatable } from "@/lib/api/list";
import { EXPIRING_KINDS } from "@/lib/kernel/expiring-kinds";
import { idSchema } from "@/lib/kernel/ids-schema";

/** Ten years, in days. */
const MAX_WITHIN_DAYS = 3650;

/** What has ended is listed too, unless `ended` says otherwise. */
export const getExpiringInput = listInput({
  sorts: ["endsAt", "name", "kind"],
  filters: {
    /** Days from now. */
    within: z.coerce.number().int().min(1).max(MAX_WITHIN_DAYS).default(MAX_WITHIN_DAYS),
    kind: repeatable(z.enum(EXPIRING_KINDS)).optional(),
    /** True for what has ended alone, false for what has not. */
    ended: z.stringbool({ truthy: ["true"], falsy: ["false"] }).optional(),
    ...csvFormat,
  },
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

export const expiringOutput = listOutput(expiringSchema);
