import "server-only";
import { defineQuery } from "@/lib/api/operation";
import { appTarget } from "@/lib/features/apps/data";
import { listReleasesOf, readableEnvironments, toRelease } from "../data";
import { releaseReach, scopesByEnvironment } from "../internal/rights";
import { getTestingDeploysByAppInput, releasesOutput } from "../schema";

/** The releases of an application over all environments in which the caller reads them, newest first. */
export const getTestingDeploysByApp = defineQuery({
  area: "apps",
  name: "get-testing-deploys-by-app",
  summary: "List the releases of an application in the environments that the caller reaches, newest first",
  access: "any-scope",
  input: getTestingDeploysByAppInput,
  output: releasesOutput,
  errors: [],
  target: (input, db) => appTarget(db, input.appId),
  async handler({ input, actor, db }) {
    const readable = await readableEnvironments(db, releaseReach(actor), { appId: input.appId });
    const environmentIds = readable.map(({ id }) => id);
    const { rows, ...page } = await listReleasesOf(db, environmentIds, input);
    return { items: rows.map(toRelease), ...page, environments: scopesByEnvironment(actor, rows) };
  },
});
