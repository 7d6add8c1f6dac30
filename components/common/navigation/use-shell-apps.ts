"use client";

import { useMemo } from "react";
import type { ShellApp, ShellApps } from "@/components/common/shell/types";
import { query } from "@/lib/client/client";
import type { NavigationApp } from "@/lib/features/navigation/schema";
import { appPath } from "@/lib/kernel/navigation/pages";
import { environmentStartPath } from "./paths";

/** Number of applications that a search in the switcher finds. */
const FOUND_APPS = 20;
/** Number of environments that are loaded of an application that is not listed. */
const LOADED_ENVIRONMENTS = 10;

type ShellAppsInput = {
  apps: readonly NavigationApp[];
  hasMoreApps: boolean;
  isAdmin: boolean;
};

/** The applications of the switcher, with the links that the user can open. */
export function useShellApps({ apps, hasMoreApps, isAdmin }: ShellAppsInput): ShellApps {
  return useMemo(() => {
    const toShellApp = ({ id, name, iconUrl, environments }: Omit<NavigationApp, "hasMoreEnvironments">): ShellApp => ({
      id,
      name,
      iconUrl,
      href: appPath(id, isAdmin),
      environments: environments.map((environment) => ({
        id: environment.id,
        name: environment.name,
        href: environmentStartPath(id, environment, isAdmin),
        canPublish: environment.scopes.includes("release:create"),
      })),
    });
    return {
      apps: apps.map(toShellApp),
      search: hasMoreApps
        ? async (search, signal) => {
            const operation = isAdmin ? "apps/get-apps" : "apps/get-authorized-apps";
            const { items } = await query(operation, { search, limit: FOUND_APPS }, { signal });
            return items.map((app) => toShellApp({ ...app, environments: [] }));
          }
        : null,
      load: async (appId) => {
        const [app, { items }] = await Promise.all([
          query("apps/get-app", { id: appId }),
          query("apps/get-authorized-environments-by-app", { appId, limit: LOADED_ENVIRONMENTS }),
        ]);
        return toShellApp({ ...app, environments: items });
      },
    };
  }, [apps, hasMoreApps, isAdmin]);
}
