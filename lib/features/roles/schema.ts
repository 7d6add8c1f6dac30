import { z } from "zod";
import { csvFormat, listInput } from "@/lib/api/list";
import { idSchema } from "@/lib/kernel/ids-schema";
import { ifUpdatedAtSchema } from "@/lib/kernel/if-updated-at-schema";
import { nameSchema, readNameSchema } from "@/lib/kernel/name-schema";

export const roleSchema = z.object({
  id: idSchema,
  name: z.string(),
  /** True for SUPER_ADMIN, which holds every scope everywhere and can be neither renamed nor created again. */
  superAdmin: z.boolean(),
  userCount: z.number().int(),
  permissionCount: z.number().int(),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
});
export type Role = z.output<typeof roleSchema>;

export const createRoleInput = z.strictObject({ name: nameSchema });

export const updateRoleInput = z.strictObject({
  id: idSchema,
  name: nameSchema,
  ifUpdatedAt: ifUpdatedAtSchema,
  /** What the role must still be; otherwise, the call ends with `conflict` and changes nothing. */
  expected: z.strictObject({ name: readNameSchema }).optional(),
});

export const getRoleInput = z.strictObject({ id: idSchema });

export const getRolesInput = listInput({ sorts: ["name", "createdAt"], filters: { ...csvFormat } });
