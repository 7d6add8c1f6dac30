import { z } from "zod";
import { MAX_VERSION, releaseSchema } from "@/lib/features/releases/schema";

export const getLatestReleaseInput = z
  .strictObject({
    /** A kind of platform (`ios`, `android`), or the name or ID of a platform. */
    platform: z.string().trim().min(1).max(100),
    /** What is installed. */
    version: z.string().trim().min(1).max(MAX_VERSION).optional(),
    buildNumber: z.string().trim().min(1).max(MAX_VERSION).optional(),
  })
  .superRefine(({ version, buildNumber }, ctx) => {
    if (buildNumber !== undefined && version === undefined) {
      ctx.addIssue({ code: "custom", path: ["version"], message: "required", params: { code: "required" } });
    }
  });

export const latestReleaseSchema = z.object({
  /** Whether `release` is newer than what is installed. */
  updateAvailable: z.boolean(),
  /** Whether a newer release is marked as mandatory. */
  mandatory: z.boolean(),
  /** The release with the highest version; versions are compared by their numbers, then build numbers. */
  release: releaseSchema.nullable(),
  /** The page that a phone opens to install it. */
  installUrl: z.url().nullable(),
});
