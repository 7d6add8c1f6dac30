import "server-only";
import { defineQuery } from "@/lib/api/operation";
import { forAnyGroup } from "@/lib/permissions/authorize";
import { placesToRead } from "../data/read-places";
import { targetOfPlace } from "../data/targets";
import { listVersions } from "../data/versions";
import { getTestingDeployVersionsInput, versionsOutput } from "../schema";

/** The distinct versions of the releases of an environment or application, the last published first. */
export const getTestingDeployVersions = defineQuery({
  area: "apps",
  name: "get-testing-deploy-versions",
  summary: "List the distinct versions of the releases of an environment or application, the last published first",
  access: "release:read",
  forGroups: true,
  input: getTestingDeployVersionsInput,
  output: versionsOutput,
  errors: [],
  target: async (input, db) => forAnyGroup(await targetOfPlace(db, input)),
  async handler({ input, actor, target, db }) {
    const { rows, total, capped } = await listVersions(db, await placesToRead(db, actor, target), input);
    return {
      items: rows.map(({ version, lastReleaseAt }) => ({ version, lastReleaseAt: lastReleaseAt.toISOString() })),
      total,
      ...(capped && { totalIsAtLeast: true as const }),
    };
  },
});
