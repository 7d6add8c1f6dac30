import "server-only";
import { defineQuery } from "@/lib/api/operation";
import { toRelease } from "../data/answers";
import { latestReleasesByApp } from "../data/latest";
import { readPlaces } from "../data/read-places";
import { getLatestTestingDeploysByAppInput, latestReleasesOutput } from "../schema";

/** The latest release of each of some applications, over the environments in which the caller reads releases. */
export const getLatestTestingDeploysByApp = defineQuery({
  area: "apps",
  name: "get-latest-testing-deploys-by-app",
  summary: "List the latest release of each of several applications",
  access: "user",
  forGroups: true,
  namesPeople: true,
  input: getLatestTestingDeploysByAppInput,
  output: latestReleasesOutput,
  errors: [],
  async handler({ input, actor, db }) {
    const readable = await readPlaces(db, actor, { appId: { in: input.appIds } });
    return { items: (await latestReleasesByApp(db, readable)).map(toRelease) };
  },
});
