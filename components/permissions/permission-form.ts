import { z } from "zod";
import { MAX_APPS, MAX_GROUPS } from "@/lib/features/permissions/rules";
import { isGroupScope, SCOPES } from "@/lib/permissions/scopes";

const named = z.object({ id: z.string(), name: z.string() });

const chosenApp = named.extend({
  reach: z.enum(["all", "some"]),
  /** Kept while `all` is selected, so that switching back to `some` loses nothing. */
  environments: z.array(named),
});
export type ChosenApp = z.output<typeof chosenApp>;

const chosenGroup = named.extend({ app: named });
export type ChosenGroup = z.output<typeof chosenGroup>;

/**
 * The values of the permission form. "All apps" and "all environments" are explicit: the operation uses an empty list
 * for them, which the form must distinguish from a list that was left empty.
 */
export const permissionFormSchema = z
  .object({
    roleId: z.string().refine(Boolean, { error: "roleRequired" }),
    scopes: z.array(z.enum(SCOPES)).refine((scopes) => scopes.length > 0, { error: "scopesRequired" }),
    reach: z.enum(["all", "some", "groups"]),
    apps: z.array(chosenApp).max(MAX_APPS),
    groups: z.array(chosenGroup).max(MAX_GROUPS),
  })
  .superRefine(({ reach, apps, groups, scopes }, context) => {
    if (reach === "all") return;
    if (reach === "groups") {
      if (groups.length === 0) context.addIssue({ code: "custom", path: ["groups"], message: "groupsRequired" });
      // Others are not shown with this choice, and not sent.
      if (scopes.length > 0 && !scopes.some(isGroupScope)) {
        context.addIssue({ code: "custom", path: ["scopes"], message: "scopesRequired" });
      }
      return;
    }
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
