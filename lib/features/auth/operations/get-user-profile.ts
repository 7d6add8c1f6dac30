import "server-only";
import { z } from "zod";
import { found } from "@/lib/api/list";
import { defineQuery } from "@/lib/api/operation";
import { ApiError } from "@/lib/errors";
import { idSchema } from "@/lib/ids-schema";
import { isScope, SCOPES, withImplied } from "@/lib/permissions/scopes";
import { environmentsOfApps, findUser, rolePermissions, toUser } from "../data";
import { userSchema } from "../schema";

const named = z.object({ id: idSchema, name: z.string() });
const permissionSchema = z.object({
  scopes: z.array(z.enum(SCOPES)),
  apps: z.union([z.literal("all"), z.array(named.extend({ environments: z.array(named) }))]),
});

/** The signed-in user with what their role reaches, by name. */
export const getUserProfile = defineQuery({
  area: "auth",
  name: "get-user-profile",
  summary: "The signed-in user and what their role reaches",
  access: "signing-in",
  input: z.strictObject({}),
  output: z.object({ user: userSchema, permissions: z.array(permissionSchema) }),
  errors: [],
  async handler({ actor, db }) {
    if (actor.kind !== "user") throw new ApiError("forbidden");
    const user = found(await findUser(db, actor.userId));
    if (actor.isAdmin) return { user: toUser(user), permissions: [{ scopes: [...SCOPES], apps: "all" as const }] };
    const permissions = await rolePermissions(db, user.roleId);
    const wholeApps = permissions.flatMap((permission) =>
      permission.targets.filter((target) => target.environmentId === null).map((target) => target.appId),
    );
    const environments = await environmentsOfApps(db, wholeApps);
    return {
      user: toUser(user),
      permissions: permissions.map((permission) => {
        const scopes = withImplied(permission.scopes.filter(isScope));
        if (permission.allApps) return { scopes, apps: "all" as const };
        const byApp = Map.groupBy(permission.targets, (target) => target.appId);
        const apps = [...byApp.values()].map((targets) => {
          const { app } = targets[0] as (typeof targets)[number];
          const reached = targets.some((target) => target.environment === null)
            ? environments.filter((environment) => environment.appId === app.id)
            : targets.flatMap((target) => target.environment ?? []);
          return { id: app.id, name: app.name, environments: reached.map(({ id, name }) => ({ id, name })) };
        });
        return { scopes, apps };
      }),
    };
  },
});
