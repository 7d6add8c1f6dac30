import type { z } from "zod";
import type { createRolePermissionInput, RolePermission } from "@/lib/features/permissions/schema";
import { PRESET_SCOPES } from "@/lib/permissions/presets";
import { isGroupScope } from "@/lib/permissions/scopes";
import type { PermissionForm } from "./permission-form";

/** Converts the form's values to the input of create-role-permission and update-role-permission. */
export function toPermissionInput({ roleId, scopes, reach, apps, groups }: PermissionForm) {
  if (reach === "groups") {
    return {
      roleId,
      scopes: scopes.filter(isGroupScope),
      groupIds: groups.map(({ id }) => id),
    } satisfies z.input<typeof createRolePermissionInput>;
  }
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

/**
 * The initial values of the permission form.
 * @param groupsOfRole the ID of a role that is to install the releases of groups, if a permission is added for that
 */
export function toPermissionForm(permission?: RolePermission, groupsOfRole?: string): PermissionForm {
  if (!permission) {
    const empty = { roleId: groupsOfRole ?? "", apps: [], groups: [] };
    return groupsOfRole
      ? { ...empty, scopes: [...PRESET_SCOPES.tester], reach: "groups" }
      : { ...empty, scopes: [], reach: "some" };
  }
  const { role, scopes, apps, groups } = permission;
  return {
    roleId: role.id,
    scopes,
    reach: apps === "all" ? "all" : groups.length > 0 ? "groups" : "some",
    groups,
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
 * What a permission gives, as create-role-permission takes it, to restore it. Null if apps, environments or groups that it named
 * are gone: an empty selection would mean all of them.
 */
export function grantedBy(permission: RolePermission): ReturnType<typeof toPermissionInput> | null {
  const form = toPermissionForm(permission);
  return reachInForm(form) === null ? null : toPermissionInput(form);
}

/** The places that a form's values name, for the sentence in plain words; null while the selection is incomplete. */
export function reachInForm({ reach, apps, groups }: Pick<PermissionForm, "reach" | "apps" | "groups">) {
  if (reach === "all") return { apps: "all" as const };
  if (reach === "groups") return groups.length > 0 ? { apps: [], groups } : null;
  const complete = apps.length > 0 && apps.every((app) => app.reach === "all" || app.environments.length > 0);
  if (!complete) return null;
  const chosen = apps.map(({ name, reach: inApp, environments }) => ({
    name,
    environments: inApp === "all" ? ("all" as const) : environments,
  }));
  return { apps: chosen };
}
