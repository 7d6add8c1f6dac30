import "server-only";
import { defineQuery } from "@/lib/api/operation";
import { environmentPlace } from "@/lib/features/environments/data";
import { listReleases, toRelease } from "../data";
import { scopesByEnvironment } from "../internal/rights";
import { getTestingDeploysInput, releasesOutput } from "../schema";

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
  async handler({ input, actor, db }) {
    const { rows, ...page } = await listReleases(db, input);
    return { items: rows.map(toRelease), ...page, environments: scopesByEnvironment(actor, rows) };
  },
});
