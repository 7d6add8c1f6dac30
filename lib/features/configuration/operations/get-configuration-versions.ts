import "server-only";
import { defineQuery } from "@/lib/api/operation";
import { environmentTarget } from "@/lib/features/environments/data";
import { listVersions, toConfigurationVersion } from "../data/versions";
import { configurationVersionsInput, configurationVersionsOutput } from "../schema";

/** The versions of an environment's configuration, newest first, without values. */
export const getConfigurationVersions = defineQuery({
  area: "apps",
  name: "get-configuration-versions",
  summary: "List the versions of an environment’s configuration, newest first",
  access: "environment:read",
  input: configurationVersionsInput,
  output: configurationVersionsOutput,
  errors: [],
  target: (input, db) => environmentTarget(db, input.environmentId),
  async handler({ input, target, db }) {
    const { rows, ...page } = await listVersions(db, input, target.environment.configurationVersion);
    return { items: rows.map(toConfigurationVersion), ...page };
  },
});
