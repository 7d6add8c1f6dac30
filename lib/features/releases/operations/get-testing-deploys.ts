import "server-only";
import type { z } from "zod";
import { csvOf } from "@/lib/api/csv";
import { defineQuery } from "@/lib/api/operation";
import type { Db } from "@/lib/db/client";
import { environmentPlace } from "@/lib/features/environments/data";
import { exportReleases } from "../data/lists";
import { RELEASE_COLUMNS } from "../internal/release-csv";
import { releasePage } from "../internal/release-page";
import { getTestingDeploysInput, releasesOutput } from "../schema";

type Context = { input: z.output<typeof getTestingDeploysInput>; db: Db };

/** The releases of an environment, newest first. */
export const getTestingDeploys = defineQuery({
  area: "apps",
  name: "get-testing-deploys",
  summary: "List the releases of an environment, newest first",
  access: "release:read",
  input: getTestingDeploysInput,
  output: releasesOutput,
  errors: [],
  target: (input, db, actor) => environmentPlace(db, actor, input.environmentId),
  handler: (context) => releasePage(context, [context.input.environmentId], context.input),
  asFile: csvOf({
    fileName: "releases",
    columns: RELEASE_COLUMNS,
    list: ({ db, input }: Context) => exportReleases(db, [input.environmentId], input),
  }),
});
