import "server-only";
import { defineQuery } from "@/lib/api/operation";
import { ENTRY_KINDS, scopeOfKind, VARIABLE_KINDS } from "@/lib/features/configuration/schema";
import { environmentTarget } from "@/lib/features/environments/data";
import { scopesFor } from "@/lib/permissions/authorize";
import { readConfiguration, revealOf, toClientCertificate, valuesOf } from "../data";
import { configurationInput, configurationOutput } from "../schema";

/** The whole configuration of an environment, as far as the token's scopes reach. */
export const getConfiguration = defineQuery({
  area: "client",
  name: "get-configuration",
  summary:
    "Get the configuration of the token’s environment: variables by the token’s scopes, and certificates without their files",
  access: { client: "environment:read" },
  input: configurationInput,
  output: configurationOutput,
  errors: [],
  signed: true,
  audit: { table: "SecureVariable", action: "reveal", stepwise: true },
  target: (_input, db, actor) => environmentTarget(db, actor.environmentId),
  async handler({ input, actor, target, db, request }) {
    const { app, environment } = target;
    const scopes = scopesFor(actor, target);
    const unread = VARIABLE_KINDS.filter((kind) => !scopes.includes(scopeOfKind(kind, "read")));
    const kinds = ENTRY_KINDS.filter((kind) => !unread.some((one) => one === kind));
    const configuration = await readConfiguration(db, environment.id, {
      kinds,
      secrets: kinds.filter((kind) => kind === "secure-variable"),
      version: input.configurationVersion,
    });
    const { version, ofKind } = configuration;
    return {
      output: {
        app: { id: app.id, name: app.name, identifier: app.identifier },
        environment: { id: environment.id, name: environment.name },
        configurationVersion: version,
        variables: kinds.includes("dev-variable") ? valuesOf(ofKind("dev-variable")) : undefined,
        secureVariables: kinds.includes("secure-variable") ? valuesOf(ofKind("secure-variable")) : undefined,
        certificates: ofKind("secure-certificate").map(toClientCertificate),
      },
      audit: revealOf("secure-variable", configuration, { actor, request }),
    };
  },
});
