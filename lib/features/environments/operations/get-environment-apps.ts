import "server-only";
import { orNotFound } from "@/lib/api/list";
import { defineQuery } from "@/lib/api/operation";
import { findApp } from "@/lib/features/apps/data";
import { listEnvironments, toEnvironment } from "../data";
import { environmentsOfAppInput, environmentsOutput } from "../schema";

/** All environments of an application, including inactive ones. */
export const getEnvironmentApps = defineQuery({
  area: "apps",
  name: "get-environment-apps",
  summary: "List all environments of an application",
  access: "admin",
  input: environmentsOfAppInput,
  output: environmentsOutput,
  errors: ["not_found"],
  async handler({ input, db }) {
    orNotFound(await findApp(db, input.appId));
    const { rows, nextCursor, total } = await listEnvironments(db, input);
    return { items: rows.map(toEnvironment), nextCursor, total };
  },
});
