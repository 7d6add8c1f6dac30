import "server-only";
import { defineQuery } from "@/lib/api/operation";
import { appTarget } from "@/lib/features/apps/data";
import { environmentTarget } from "@/lib/features/environments/data";
import { sightOf } from "@/lib/permissions/visibility";
import { readableEnvironments } from "../data/lists";
import { listVersions } from "../data/versions";
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
  async target({ appId, environmentId }, db) {
    if (environmentId === undefined) return appTarget(db, appId as string);
    const target = await environmentTarget(db, environmentId);
    return appId === undefined || target?.appId === appId ? target : null;
  },
  async handler({ input, actor, target, db }) {
    const environments = target.environmentId
      ? [{ id: target.environmentId }]
      : await readableEnvironments(db, sightOf(actor, "release:read"), { appId: target.appId });
    const environmentIds = environments.map(({ id }) => id);
    const { rows, total, capped } = await listVersions(db, environmentIds, input);
    return {
      items: rows.map(({ version, lastReleaseAt }) => ({ version, lastReleaseAt: lastReleaseAt.toISOString() })),
      total,
      ...(capped && { totalIsAtLeast: true as const }),
    };
  },
});
