import "server-only";
import type { z } from "zod";
import { csvOf } from "@/lib/api/csv";
import { defineQuery } from "@/lib/api/operation";
import type { Db } from "@/lib/db/client";
import { countsOfApps, listApps, toApps } from "../data";
import { countedAppsOutput, getAppsInput } from "../schema";

async function list({ input, db }: { input: z.output<typeof getAppsInput>; db: Db }) {
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
}

/** All applications, each with the number of its environments and releases and the date of its newest release. */
export const getApps = defineQuery({
  area: "apps",
  name: "get-apps",
  summary: "List all applications",
  access: "admin",
  input: getAppsInput,
  output: countedAppsOutput,
  errors: [],
  handler: list,
  asFile: csvOf({
    fileName: "applications",
    columns: {
      id: (app) => app.id,
      name: (app) => app.name,
      identifier: (app) => app.identifier,
      description: (app) => app.description,
      status: (app) => app.status,
      environmentCount: (app) => app.environmentCount,
      releaseCount: (app) => app.releaseCount,
      lastReleaseAt: (app) => app.lastReleaseAt,
      createdAt: (app) => app.createdAt,
    },
    list,
  }),
});
