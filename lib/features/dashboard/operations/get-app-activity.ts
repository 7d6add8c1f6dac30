import "server-only";
import { defineQuery } from "@/lib/api/operation";
import { appTarget } from "@/lib/features/apps/data";
import { readableEnvironments } from "@/lib/features/releases/data/read-places";
import { sightOf } from "@/lib/permissions/visibility";
import { flushVisits } from "@/lib/visits/record";
import { readActivity } from "../data";
import { activitySchema, getAppActivityInput } from "../schema";

/**
 * Releases, installs and downloads of an application on the last days in UTC, how many installs were of the latest build, and the
 * systems on which releases were opened, in the environments in which the caller can read releases. What happened stays counted when
 * a release is deleted.
 */
export const getAppActivity = defineQuery({
  area: "apps",
  name: "get-app-activity",
  summary: "Get the releases, installs and downloads of an application by day, and the systems of its testers",
  access: "any-scope",
  input: getAppActivityInput,
  output: activitySchema,
  errors: [],
  target: (input, db) => appTarget(db, input.appId),
  async handler({ input, actor, db, request }) {
    const { appId, environmentId, days } = input;
    // What this instance has not written yet belongs to the answer.
    await flushVisits();
    const environments = await readableEnvironments(db, sightOf(actor, "release:read"), { appId, id: environmentId });
    const environmentIds = environments.map(({ id }) => id);
    return readActivity(db, environmentIds, { days, now: request.now });
  },
});
