import "server-only";
import { defineQuery } from "@/lib/api/operation";
import { countsOfApps, listApps, toApps } from "../data";
import { countedAppsOutput, getAppsInput } from "../schema";

/** All applications, each with the number of its environments and releases and the date of its newest release. */
export const getApps = defineQuery({
  area: "apps",
  name: "get-apps",
  summary: "List all applications",
  access: "admin",
  input: getAppsInput,
  output: countedAppsOutput,
  errors: [],
  async handler({ input, db }) {
    const { rows, nextCursor, total } = await listApps(db, input);
    const counts = await countsOfApps(
      db,
      rows.map(({ id }) => id),
    );
    const apps = await toApps(db, rows, "all");
    const items = apps.map((app) => {
      const { environmentCount = 0, releaseCount = 0, lastReleaseAt = null } = counts.get(app.id) ?? {};
      return { ...app, environmentCount, releaseCount, lastReleaseAt: lastReleaseAt?.toISOString() ?? null };
    });
    return { items, nextCursor, total };
  },
});
