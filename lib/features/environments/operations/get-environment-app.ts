import "server-only";
import { z } from "zod";
import { defineQuery } from "@/lib/api/operation";
import { toApp } from "@/lib/features/apps/data";
import { env } from "@/lib/kernel/env";
import { idSchema } from "@/lib/kernel/ids-schema";
import { scopesFor } from "@/lib/permissions/authorize";
import { reachOf } from "@/lib/permissions/reach";
import { environmentTarget, toEnvironment } from "../data";
import { configurationOf } from "../rules";
import { environmentDetailsSchema } from "../schema";

/** One environment, with what a server, a mobile app and the command line need to connect to it. */
export const getEnvironmentApp = defineQuery({
  area: "apps",
  name: "get-environment-app",
  summary: "Get an environment with its configuration for servers, mobile apps and the command line",
  access: "environment:read",
  input: z.strictObject({ id: idSchema }),
  output: environmentDetailsSchema,
  errors: [],
  target: (input, db) => environmentTarget(db, input.id),
  handler: async ({ actor, target: { app, environment }, db }) => ({
    ...toEnvironment(environment),
    scopes: scopesFor(actor, { appId: app.id, environmentId: environment.id }),
    app: await toApp(db, app, reachOf(actor)),
    configuration: configurationOf(env.APP_URL, app, environment),
  }),
});
