import { z } from "zod";
import { listInput } from "@/lib/api/list";
import { idSchema } from "@/lib/kernel/ids-schema";
import { SCOPES, type Scope } from "@/lib/permissions/scopes";

/** The maximum number of apps in one permission, and of environments of each app. */
export const MAX_APPS = 100;
export const MAX_ENVIRONMENTS = 200;

const scopeSchema = z.enum(SCOPES);
const named = z.object({ id: idSchema, name: z.string() });

/** A permission of a role: its scopes and the places where they hold. */
export const rolePermissionSchema = z.object({
  id: idSchema,
  role: named,
  /** The scopes as selected. Those that they imply hold too. */
  scopes: z.array(scopeSchema),
  /** `all` includes apps that are created later. */
  apps: z.union([
    z.literal("all"),
    z.array(named.extend({ environments: z.union([z.literal("all"), z.array(named)]) })),
  ]),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
});
export type RolePermission = z.output<typeof rolePermissionSchema>;

/** A set as a list, without duplicates and in the order of `SCOPES`. */
const scopes = z
  .array(scopeSchema)
  .min(1)
  .max(100)
  .transform((chosen): Scope[] => SCOPES.filter((scope) => chosen.includes(scope)));

/** No apps means all apps; no environments means all environments of that app. */
export const chosenAppsSchema = z
  .array(z.strictObject({ appId: idSchema, environmentIds: z.array(idSchema).max(MAX_ENVIRONMENTS).default([]) }))
  .max(MAX_APPS);
export type ChosenApps = z.output<typeof chosenAppsSchema>;

export const createRolePermissionInput = z.strictObject({
  roleId: idSchema,
  scopes,
  apps: chosenAppsSchema.default([]),
});

/** Omitted fields are not changed. */
export const updateRolePermissionInput = z.strictObject({
  id: idSchema,
  roleId: idSchema.optional(),
  scopes: scopes.optional(),
  apps: chosenAppsSchema.optional(),
});

export const deleteRolePermissionInput = z.strictObject({ id: idSchema });

const sorts = ["-createdAt"] as const;

export const getRolePermissionsInput = listInput({ sorts, filters: { roleId: idSchema.optional() } });
export const getRolePermissionsByRoleIdInput = listInput({ sorts, filters: { roleId: idSchema } });

export const availableScopesOutput = z.object({
  items: z.array(
    z.object({
      scope: scopeSchema,
      label: z.string(),
      description: z.string(),
      /** The scopes that it implies. */
      implies: z.array(scopeSchema),
    }),
  ),
});
