import "server-only";
import { defineQuery } from "@/lib/api/operation";
import { listVersions } from "../data/versions";
import { environmentOrAppTarget, environmentsToRead } from "../internal/places";
import { getTestingDeployVersionsInput, versionsOutput } from "../schema";

/** The distinct versions of the releases of an environment or application, the last published first. */
export const getTestingDeployVersions = defineQuery({
  area: "apps",
  name: "get-testing-deploy-versions",
  summary: "List the distinct versions of the releases of an environment or application, the last published first",
  access: "release:read",
  input: getTestingDeployVersionsInput,
  output: versionsOutput,
  errors: [],
  target: (input, db) => environmentOrAppTarget(db, input),
  async handler({ input, actor, target, db }) {
    const { rows, total, capped } = await listVersions(db, await environmentsToRead(db, actor, target), input);
    return {
      items: rows.map(({ version, lastReleaseAt }) => ({ version, lastReleaseAt: lastReleaseAt.toISOString() })),
      total,
      ...(capped && { totalIsAtLeast: true as const }),
    };
  },
});
