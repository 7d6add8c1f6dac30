import { z } from "zod";
import { MAX_APPS } from "@/lib/features/permissions/rules";
import type { createRolePermissionInput, RolePermission } from "@/lib/features/permissions/schema";
import { SCOPES } from "@/lib/permissions/scopes";

const named = z.object({ id: z.string(), name: z.string() });

const chosenApp = named.extend({
  reach: z.enum(["all", "some"]),
  /** Kept while `all` is selected, so that switching back to `some` loses nothing. */
  environments: z.array(named),
});
export type ChosenApp = z.output<typeof chosenApp>;

/**
 * The values of the permission form. "All apps" and "all environments" are explicit: the operation uses an empty list
 * for them, which the form must distinguish from a list that was left empty.
 */
export const permissionFormSchema = z
  .object({
    roleId: z.string().refine(Boolean, { error: "roleRequired" }),
    scopes: z.array(z.enum(SCOPES)).refine((scopes) => scopes.length > 0, { error: "scopesRequired" }),
    reach: z.enum(["all", "some"]),
    apps: z.array(chosenApp).max(MAX_APPS),
  })
  .superRefine(({ reach, apps }, context) => {
    if (reach === "all") return;
    if (apps.length === 0) context.addIssue({ code: "custom", path: ["apps"], message: "appsRequired" });
    for (const [index, app] of apps.entries()) {
      if (app.reach === "all" || app.environments.length > 0) continue;
      context.addIssue({
        code: "custom",
        path: ["apps", index, "environments"],
        message: "environmentsRequired",
        params: { values: { name: app.name } },
      });
    }
  });
export type PermissionForm = z.output<typeof permissionFormSchema>;

/** Converts the form's values to the input of create-role-permission and update-role-permission. */
export function toPermissionInput({ roleId, scopes, reach, apps }: PermissionForm) {
  const chosen = reach === "all" ? [] : apps;
  return {
    roleId,
    scopes,
    apps: chosen.map((app) => ({
      appId: app.id,
      environmentIds: app.reach === "all" ? [] : app.environments.map(({ id }) => id),
    })),
  } satisfies z.input<typeof createRolePermissionInput>;
}

/** The initial values of the permission form. */
export function toPermissionForm(permission?: RolePermission): PermissionForm {
  if (!permission) return { roleId: "", scopes: [], reach: "some", apps: [] };
  const { role, scopes, apps } = permission;
  return {
    roleId: role.id,
    scopes,
    reach: apps === "all" ? "all" : "some",
    apps:
      apps === "all"
        ? []
        : apps.map(({ id, name, environments }) => ({
            id,
            name,
            reach: environments === "all" ? "all" : "some",
            environments: environments === "all" ? [] : environments,
          })),
  };
}

/**
 * What a permission gives, as create-role-permission takes it, to restore it. Null if apps or environments that it named
 * are gone: an empty selection would mean all of them.
 */
export function grantedBy(permission: RolePermission): ReturnType<typeof toPermissionInput> | null {
  const form = toPermissionForm(permission);
  return permissionFormSchema.safeParse(form).success ? toPermissionInput(form) : null;
}

/** The places that a form's values name, for the sentence in plain words; null while the selection is incomplete. */
export function reachInForm({ reach, apps }: Pick<PermissionForm, "reach" | "apps">) {
  if (reach === "all") return "all" as const;
  const complete = apps.length > 0 && apps.every((app) => app.reach === "all" || app.environments.length > 0);
  if (!complete) return null;
  return apps.map(({ name, reach: inApp, environments }) => ({
    name,
    environments: inApp === "all" ? ("all" as const) : environments,
  }));
}
