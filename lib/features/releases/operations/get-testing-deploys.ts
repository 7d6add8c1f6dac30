import "server-only";
import type { z } from "zod";
import { csvOf } from "@/lib/api/csv";
import { defineQuery } from "@/lib/api/operation";
import type { Db } from "@/lib/db/client";
import type { EnvironmentPlace } from "@/lib/features/environments/data";
import { environmentPlace } from "@/lib/features/environments/data";
import type { Actor } from "@/lib/permissions/actor";
import { forAnyGroup } from "@/lib/permissions/authorize";
import { exportReleases } from "../data/lists";
import { readPlaceOf } from "../data/read-places";
import { RELEASE_COLUMNS } from "../internal/release-csv";
import { releasePage } from "../internal/release-page";
import { getTestingDeploysInput, releasesOutput } from "../schema";

type Context = { input: z.output<typeof getTestingDeploysInput>; actor: Actor; target: EnvironmentPlace; db: Db };

/** The environment, as far as the caller reads its releases. */
const placeOf = ({ actor, target }: Context) => readPlaceOf(actor, target);

/** The releases of an environment, newest first. */
export const getTestingDeploys = defineQuery({
  area: "apps",
  name: "get-testing-deploys",
  summary: "List the releases of an environment, newest first",
  access: "release:read",
  forGroups: true,
  namesPeople: true,
  input: getTestingDeploysInput,
  output: releasesOutput,
  errors: [],
  target: async (input, db, actor) => forAnyGroup(await environmentPlace(db, actor, input.environmentId)),
  handler: (context) => releasePage(context, [placeOf(context)], context.input),
  asFile: csvOf({
    fileName: "releases",
    columns: RELEASE_COLUMNS,
    list: (context: Context) => exportReleases(context.db, [placeOf(context)], context.input),
  }),
});
