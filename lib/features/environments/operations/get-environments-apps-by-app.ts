import "server-only";
import { defineQuery } from "@/lib/api/operation";
import { findApps, toApps } from "@/lib/features/apps/data";
import { environmentsByApp, toEnvironment } from "../data";
import { environmentsByAppOutput, getEnvironmentsAppsByAppInput } from "../schema";

/** The environments of several applications, in their order, to choose the places of a permission. */
export const getEnvironmentsAppsByApp = defineQuery({
  area: "apps",
  name: "get-environments-apps-by-app",
  summary: "List the environments of several applications",
  access: "admin",
  input: getEnvironmentsAppsByAppInput,
  output: environmentsByAppOutput,
  errors: [],
  async handler({ input, db }) {
    const [apps, environments] = await Promise.all([findApps(db, input.appIds), environmentsByApp(db, input.appIds)]);
    const shown = await toApps(db, apps, "all");
    return {
      items: shown.map((app) => ({
        app,
        environments: (environments.get(app.id) ?? []).map(toEnvironment),
      })),
    };
  },
});
