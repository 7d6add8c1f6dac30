import "server-only";
import { z } from "zod";
import { orNotFound } from "@/lib/api/list";
import { defineQuery } from "@/lib/api/operation";
import { idSchema } from "@/lib/kernel/ids-schema";
import { isSecondFactorPending, scopesFor } from "@/lib/permissions/authorize";
import { isScope, SCOPES, withImplied } from "@/lib/permissions/scopes";
import { sightOf } from "@/lib/permissions/visibility";
import { findUser, namedEnvironments, rolePermissions, toUser } from "../data";
import { userSchema } from "../schema";

const named = z.object({ id: idSchema, name: z.string() });
const permissionSchema = z.object({
  scopes: z.array(z.enum(SCOPES)),
  apps: z.union([z.literal("all"), z.array(named.extend({ environments: z.array(named) }))]),
  /** The groups of testers whose releases the permission is for; then it names no apps. */
  groups: z.array(named),
});

/** The signed-in user, with the names of the apps and environments that their role reaches. */
export const getUserProfile = defineQuery({
  area: "auth",
  name: "get-user-profile",
  summary: "Get the signed-in user and what their role reaches",
  access: "partial-session",
  input: z.strictObject({}),
  output: z.object({
    user: userSchema,
    permissions: z.array(permissionSchema),
    /** Whether the user does not want to see the guided tour again. */
    tourDismissed: z.boolean(),
  }),
  errors: [],
  async handler({ actor, db }) {
    const user = orNotFound(await findUser(db, actor.userId));
    const tourDismissed = user.tourDismissedAt !== null;
    // The second-factor page shows the user's name only.
    if (isSecondFactorPending(actor)) return { user: toUser(user), permissions: [], tourDismissed };
    if (actor.isAdmin)
      return {
        user: toUser(user),
        permissions: [{ scopes: [...SCOPES], apps: "all" as const, groups: [] }],
        tourDismissed,
      };
    const permissions = await rolePermissions(db, user.roleId);
    const appIds = permissions.flatMap(({ targets }) => targets.map(({ appId }) => appId));
    const environments = Map.groupBy(await namedEnvironments(db, appIds, sightOf(actor)), ({ appId }) => appId);
    // A user who may switch it on again still sees it.
    const sees = ({ id, status }: { id: string; status: string }) =>
      status === "active" || scopesFor(actor, { appId: id, environmentId: null }).includes("environment:write");
    return {
      user: toUser(user),
      tourDismissed,
      permissions: permissions.map((permission) => {
        const scopes = withImplied(permission.scopes.filter(isScope));
        const groups = permission.groups.map(({ group }) => group);
        if (permission.allApps) return { scopes, apps: "all" as const, groups };
        const byApp = Map.groupBy(
          permission.targets.filter(({ app }) => sees(app)),
          ({ appId }) => appId,
        );
        const apps = [...byApp].map(([id, targets]) => ({
          id,
          name: targets[0]?.app.name ?? "",
          environments: (environments.get(id) ?? [])
            .filter((environment) => targets.some(({ environmentId }) => covers(environmentId, environment.id)))
            .map((environment) => ({ id: environment.id, name: environment.name })),
        }));
        return { scopes, apps, groups };
      }),
    };
  },
});

/** Whether a permission for an environment (null: all environments) covers one. */
function covers(target: string | null, environmentId: string): boolean {
  return target === null || target === environmentId;
}
