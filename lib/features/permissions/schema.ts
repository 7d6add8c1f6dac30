import { z } from "zod";
import { csvFormat, listInput } from "@/lib/api/list";
import { idSchema } from "@/lib/kernel/ids-schema";
import { ifUpdatedAtSchema } from "@/lib/kernel/if-updated-at-schema";
import { unique } from "@/lib/kernel/unique";
import { SCOPES, type Scope } from "@/lib/permissions/scopes";
import { MAX_APPS, MAX_ENVIRONMENTS, MAX_GROUPS } from "./rules";

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
  /** The groups of testers whose releases it is for. A permission that names groups names no apps. */
  groups: z.array(named.extend({ app: named })),
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

/** For the releases that were distributed to these groups of testers, and for no app as a whole. */
const groupIds = z.array(idSchema).min(1).max(MAX_GROUPS).transform(unique);

/** Whether a selection names groups or places, and not both. */
const isOneKind = ({ groupIds: groups, apps }: { groupIds?: string[] | undefined; apps?: ChosenApps | undefined }) =>
  groups === undefined || apps === undefined || apps.length === 0;

const ONE_KIND = { path: ["groupIds"], error: "groupsWithPlaces" };

export const createRolePermissionInput = z
  .strictObject({ roleId: idSchema, scopes, apps: chosenAppsSchema.default([]), groupIds: groupIds.optional() })
  .refine(isOneKind, ONE_KIND);

/** The last change of a permission that the caller knows; after another one, the call ends with `conflict`. */
const expected = z.strictObject({ updatedAt: z.iso.datetime() }).optional();

/** Omitted fields are not changed. Apps replace groups, and groups replace apps. */
export const updateRolePermissionInput = z
  .strictObject({
    id: idSchema,
    roleId: idSchema.optional(),
    scopes: scopes.optional(),
    apps: chosenAppsSchema.optional(),
    groupIds: groupIds.optional(),
    ifUpdatedAt: ifUpdatedAtSchema,
    expected,
  })
  .refine(isOneKind, ONE_KIND);

/** The maximum number of places that one call changes. */
const MAX_PLACES = 500;

const placeScopes = z
  .array(scopeSchema)
  .max(SCOPES.length)
  .transform((chosen): Scope[] => SCOPES.filter((scope) => chosen.includes(scope)));

/**
 * The access of a role in single places: everywhere (no app), a whole app (no environment) or an environment. No scopes mean
 * that nothing is given there; what is given for a larger place that includes it still holds.
 */
export const updateRoleAccessInput = z.strictObject({
  roleId: idSchema,
  places: z
    .array(
      z
        .strictObject({
          appId: idSchema.nullable().default(null),
          environmentId: idSchema.nullable().default(null),
          scopes: placeScopes,
          /** What the place must still have; otherwise, the call ends with `conflict` and changes nothing. */
          expected: placeScopes.optional(),
        })
        .refine(({ appId, environmentId }) => appId !== null || environmentId === null, {
          path: ["appId"],
          error: "required",
        }),
    )
    .min(1)
    .max(MAX_PLACES),
});
export type PlaceAccess = z.output<typeof updateRoleAccessInput>["places"][number];

/** The permissions of a role after the change. */
export const roleAccessSchema = z.object({ permissions: z.array(rolePermissionSchema) });

export const deleteRolePermissionInput = z.strictObject({ id: idSchema, expected });

const sorts = ["-createdAt", "role", "updatedAt"] as const;

export const getRolePermissionsInput = listInput({ sorts, filters: { roleId: idSchema.optional(), ...csvFormat } });
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
