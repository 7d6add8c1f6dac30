import "server-only";
import { defineQuery } from "@/lib/api/operation";
import { sightOf } from "@/lib/permissions/visibility";
import { toRelease } from "../data/answers";
import { latestReleasesByApp } from "../data/latest";
import { readableEnvironments } from "../data/lists";
import { getLatestTestingDeploysByAppInput, latestReleasesOutput } from "../schema";

/** The latest release of each of some applications, over the environments in which the caller reads releases. */
export const getLatestTestingDeploysByApp = defineQuery({
  area: "apps",
  name: "get-latest-testing-deploys-by-app",
  summary: "List the latest release of each of several applications",
  access: "user",
  input: getLatestTestingDeploysByAppInput,
  output: latestReleasesOutput,
  errors: [],
  async handler({ input, actor, db }) {
    const readable = await readableEnvironments(db, sightOf(actor, "release:read"), { appId: { in: input.appIds } });
    return { items: (await latestReleasesByApp(db, readable)).map(toRelease) };
  },
});
