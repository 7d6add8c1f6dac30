import "server-only";
import { defineQuery } from "@/lib/api/operation";
import { tokenTarget } from "@/lib/features/environments/data";
import { readConfiguration, valuesOf } from "../data";
import { configurationInput, variablesOutput } from "../schema";

/** The values of the development variables, for a server. */
export const getClientDevelopmentVariables = defineQuery({
  area: "client",
  name: "get-development-variables",
  summary: "Get the development variables of the token’s environment",
  access: { client: "dev-variable:read", server: true },
  input: configurationInput,
  output: variablesOutput,
  errors: [],
  signed: true,
  target: async (_input, _db, actor) => tokenTarget(actor),
  async handler({ input, target, db }) {
    const { version, ofKind } = await readConfiguration(db, target.environmentId, {
      kinds: ["dev-variable"],
      secrets: [],
      version: input.configurationVersion,
    });
    return { configurationVersion: version, variables: valuesOf(ofKind("dev-variable")) };
  },
});
