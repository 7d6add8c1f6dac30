import { z } from "zod";
import { idSchema } from "@/lib/kernel/ids-schema";
import { CHECK_RESULTS, INSTALL_CHECKS } from "@/lib/kernel/install-check-codes";

/** The release that is checked; by default the newest one of each system that the caller may read. */
export const runInstallCheckInput = z.strictObject({ id: idSchema.optional() });

/** The checks of the way on which phones install a release, in the order in which a phone goes. */
export const installCheckSchema = z.object({
  /** Whether no check failed. What was skipped is not known. */
  ok: z.boolean(),
  checks: z.array(
    z.object({
      code: z.enum(INSTALL_CHECKS),
      result: z.enum(CHECK_RESULTS),
      /** What is checked, in the caller's language. */
      title: z.string(),
      /** What was found, in technical terms; empty if nothing was. */
      seen: z.string(),
      /** What to do, or why it was skipped, in the caller's language; null if it is right. */
      advice: z.string().nullable(),
    }),
  ),
  ranAt: z.iso.datetime(),
});
export type InstallCheck = z.output<typeof installCheckSchema>;

export const getInstallCheckInput = z.strictObject({ id: idSchema });

/** The last check of a release; null if it was never checked. */
export const lastInstallCheckSchema = z.object({ check: installCheckSchema.nullable() });
