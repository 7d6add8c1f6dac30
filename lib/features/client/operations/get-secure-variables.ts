import "server-only";
import { defineQuery } from "@/lib/api/operation";
import { tokenTarget } from "@/lib/features/environments/data";
import { readConfiguration, revealOf, valuesOf } from "../data";
import { configurationInput, variablesOutput } from "../schema";

/** The values of the secure variables, for an app or a server. */
export const getClientSecureVariables = defineQuery({
  area: "client",
  name: "get-secure-variables",
  summary: "Get the secure variables of the token’s environment",
  access: { client: "secure-variable:read" },
  input: configurationInput,
  output: variablesOutput,
  errors: [],
  signed: true,
  audit: { table: "SecureVariable", action: "reveal", stepwise: true },
  target: async (_input, _db, actor) => tokenTarget(actor),
  async handler({ input, actor, target, db, request }) {
    const kind = "secure-variable";
    const configuration = await readConfiguration(db, target.environmentId, {
      kinds: [kind],
      secrets: [kind],
      version: input.configurationVersion,
    });
    return {
      output: { configurationVersion: configuration.version, variables: valuesOf(configuration.ofKind(kind)) },
      audit: revealOf(kind, configuration, { actor, request }),
    };
  },
});
