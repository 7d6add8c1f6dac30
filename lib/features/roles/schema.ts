import { z } from "zod";
import { csvFormat, listInput } from "@/lib/api/list";
import { idSchema } from "@/lib/kernel/ids-schema";

export const roleSchema = z.object({
  id: idSchema,
  name: z.string(),
  /** True for SUPER_ADMIN, which holds every scope everywhere and can be neither renamed nor created again. */
  superAdmin: z.boolean(),
  userCount: z.number().int(),
  permissionCount: z.number().int(),
  createdAt: z.iso.datetime(),
});
export type Role = z.output<typeof roleSchema>;

const name = z.string().trim().min(1).max(100);

export const createRoleInput = z.strictObject({ name });

export const updateRoleInput = z.strictObject({
  id: idSchema,
  name,
  /** What the role must still be; otherwise, the call ends with `conflict` and changes nothing. */
  expected: z.strictObject({ name }).optional(),
});

export const getRoleInput = z.strictObject({ id: idSchema });

export const getRolesInput = listInput({ sorts: ["name", "createdAt"], filters: { ...csvFormat } });
