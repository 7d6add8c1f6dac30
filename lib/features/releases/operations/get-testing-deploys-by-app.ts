import "server-only";
import type { z } from "zod";
import { csvOf } from "@/lib/api/csv";
import { defineQuery } from "@/lib/api/operation";
import type { Db } from "@/lib/db/client";
import { appTarget } from "@/lib/features/apps/data";
import type { Actor } from "@/lib/permissions/actor";
import { forAnyGroup } from "@/lib/permissions/authorize";
import { exportReleases } from "../data/lists";
import { placesToRead, type ReadPlace } from "../data/read-places";
import { RELEASE_COLUMNS } from "../internal/release-csv";
import { releasePage } from "../internal/release-page";
import { getTestingDeploysByAppInput, releasesOutput } from "../schema";

type Context = { input: z.output<typeof getTestingDeploysByAppInput>; actor: Actor; db: Db };

function placesOf({ input, actor, db }: Context): Promise<ReadPlace[]> {
  return placesToRead(db, actor, { appId: input.appId, environmentId: null });
}

/** The releases of an application over all environments in which the caller reads them, newest first. */
export const getTestingDeploysByApp = defineQuery({
  area: "apps",
  name: "get-testing-deploys-by-app",
  summary: "List the releases of an application in the environments that the caller reaches, newest first",
  access: "any-scope",
  forGroups: true,
  namesPeople: true,
  input: getTestingDeploysByAppInput,
  output: releasesOutput,
  errors: [],
  target: async (input, db) => forAnyGroup(await appTarget(db, input.appId)),
  handler: async (context) => releasePage(context, await placesOf(context), context.input),
  asFile: csvOf({
    fileName: "releases",
    columns: RELEASE_COLUMNS,
    list: async (context: Context) => exportReleases(context.db, await placesOf(context), context.input),
  }),
});
