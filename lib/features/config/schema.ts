import { z } from "zod";
import { idSchema } from "@/lib/kernel/ids-schema";
import { ifUpdatedAtSchema } from "@/lib/kernel/if-updated-at-schema";
import { nameSchema } from "@/lib/kernel/name-schema";

/** The console's name, description and logo. */
export const appConfigSchema = z.object({
  name: z.string(),
  description: z.string(),
  logoUrl: z.string().nullable(),
  updatedAt: z.iso.datetime(),
});
export type AppConfig = z.output<typeof appConfigSchema>;

export const updateAppConfigInput = z.strictObject({
  name: nameSchema,
  description: z.string().trim().max(2_000),
  /** If omitted, the logo is kept; null removes it. */
  logoFileId: idSchema.nullish(),
  ifUpdatedAt: ifUpdatedAtSchema,
});
