import "server-only";
import { z } from "zod";
import { defineQuery } from "@/lib/api/operation";
import { fileUrl } from "@/lib/kernel/navigation/file-url";
import { scopesFor } from "@/lib/permissions/authorize";
import { sightOf } from "@/lib/permissions/visibility";
import { readNavigation } from "../data";
import { navigationOutput } from "../schema";

/** The applications that one can see, by name, each with its environments: what the sidebar shows. */
export const getNavigation = defineQuery({
  area: "apps",
  name: "get-navigation",
  summary: "List the applications that the caller can see, with their environments",
  access: "user",
  input: z.strictObject({}),
  output: navigationOutput,
  errors: [],
  async handler({ actor, db }) {
    const { apps, hasMoreApps } = await readNavigation(db, sightOf(actor));
    return {
      apps: apps.map(({ iconFileId, environments, ...app }) => ({
        ...app,
        iconUrl: iconFileId && fileUrl(iconFileId),
        environments: environments.map((environment) => ({
          ...environment,
          scopes: scopesFor(actor, { appId: app.id, environmentId: environment.id }),
        })),
      })),
      hasMoreApps,
    };
  },
});
