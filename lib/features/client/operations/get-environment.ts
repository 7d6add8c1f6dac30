import "server-only";
import { defineQuery } from "@/lib/api/operation";
import { environmentTarget } from "@/lib/features/environments/data";
import { scopesFor } from "@/lib/permissions/authorize";
import { clientEnvironmentInput, clientEnvironmentOutput } from "../schema";

/** What an API token is for: its application, its environment and its scopes, and until when. */
export const getClientEnvironment = defineQuery({
  area: "client",
  name: "get-environment",
  summary: "Get the application, the environment, the scopes and the end of the token",
  access: { client: "any-scope" },
  input: clientEnvironmentInput,
  output: clientEnvironmentOutput,
  errors: [],
  signed: true,
  target: (_input, db, actor) => environmentTarget(db, actor.environmentId),
  async handler({ actor, target }) {
    const { app, environment } = target;
    return {
      app: { id: app.id, name: app.name, identifier: app.identifier },
      environment: { id: environment.id, name: environment.name },
      scopes: scopesFor(actor, target),
      validUntil: actor.validUntil.toISOString(),
    };
  },
});
