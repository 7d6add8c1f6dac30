import "server-only";
import { defineQuery } from "@/lib/api/operation";
import { appTarget } from "@/lib/features/apps/data";
import { forAnyGroup } from "@/lib/permissions/authorize";
import { toRelease } from "../data/answers";
import { latestReleasesByPlatform } from "../data/latest";
import { readPlaces } from "../data/read-places";
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
  forGroups: true,
  namesPeople: true,
  input: getLatestTestingDeploysInput,
  output: latestReleasesOutput,
  errors: [],
  target: async (input, db) => forAnyGroup(await appTarget(db, input.appId)),
  async handler({ input, actor, db }) {
    const { appId, environmentIds } = input;
    const readable = await readPlaces(db, actor, {
      appId,
      id: { in: environmentIds },
    });
    const rows = await latestReleasesByPlatform(db, readable);
    return { items: rows.map(toRelease) };
  },
});
