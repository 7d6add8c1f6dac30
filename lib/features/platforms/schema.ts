import { z } from "zod";
import { csvFormat, listInput } from "@/lib/api/list";
import { idSchema } from "@/lib/kernel/ids-schema";
import { ifUpdatedAtSchema } from "@/lib/kernel/if-updated-at-schema";
import { nameSchema, readNameSchema } from "@/lib/kernel/name-schema";
import { statusSchema } from "@/lib/kernel/status-schema";

export const platformKindSchema = z.enum(["ios", "android", "other"]);

export const platformSchema = z.object({
  id: idSchema,
  name: z.string(),
  /** The installers that it accepts; `other` accepts all. */
  kind: platformKindSchema,
  logoUrl: z.string(),
  status: statusSchema,
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
});
export type Platform = z.output<typeof platformSchema>;

const platformFields = {
  name: nameSchema,
  logoFileId: idSchema,
  status: statusSchema.default("active"),
  kind: platformKindSchema.default("other"),
};

export const createPlatformInput = z.strictObject(platformFields);

export const updatePlatformInput = z.strictObject({
  id: idSchema,
  name: platformFields.name.optional(),
  logoFileId: idSchema.optional(),
  status: statusSchema.optional(),
  kind: platformKindSchema.optional(),
  ifUpdatedAt: ifUpdatedAtSchema,
  /** What the platform must still be; otherwise, the call ends with `conflict` and changes nothing. */
  expected: z
    .strictObject({
      name: readNameSchema.optional(),
      status: statusSchema.optional(),
      kind: platformKindSchema.optional(),
    })
    .optional(),
});

export const getPlatformsInput = listInput({
  sorts: ["name", "createdAt", "status"],
  filters: { status: statusSchema.optional(), ...csvFormat },
});
