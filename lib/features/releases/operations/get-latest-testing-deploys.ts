import "server-only";
import { defineQuery } from "@/lib/api/operation";
import { appTarget } from "@/lib/features/apps/data";
import { sightOf } from "@/lib/permissions/visibility";
import { toRelease } from "../data/answers";
import { latestReleasesByPlatform } from "../data/latest";
import { readableEnvironments } from "../data/lists";
import { getLatestTestingDeploysInput, latestReleasesOutput } from "../schema";

/**
 * The latest release of each platform in some environments of an application. Environments in which the caller cannot
 * read releases are skipped.
 */
export const getLatestTestingDeploys = defineQuery({
  area: "apps",
  name: "get-latest-testing-deploys",
  summary: "List the latest release of each platform in environments of an application",
  access: "any-scope",
  input: getLatestTestingDeploysInput,
  output: latestReleasesOutput,
  errors: [],
  target: (input, db) => appTarget(db, input.appId),
  async handler({ input, actor, db }) {
    const { appId, environmentIds } = input;
    const readable = await readableEnvironments(db, sightOf(actor, "release:read"), {
      appId,
      id: { in: environmentIds },
    });
    const rows = await latestReleasesByPlatform(
      db,
      readable.map(({ id }) => id),
    );
    return { items: rows.map(toRelease) };
  },
});
