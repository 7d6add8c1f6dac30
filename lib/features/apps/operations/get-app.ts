import "server-only";
import { z } from "zod";
import { defineQuery } from "@/lib/api/operation";
import { idSchema } from "@/lib/kernel/ids-schema";
import { forAnyGroup, scopesFor } from "@/lib/permissions/authorize";
import { reachOf } from "@/lib/permissions/reach";
import { appTarget, toApp } from "../data";
import { reachedAppSchema } from "../schema";

/** One application, with the scopes that the caller holds in all of it. */
export const getApp = defineQuery({
  area: "apps",
  name: "get-app",
  summary: "Get an application",
  access: "any-scope",
  forGroups: true,
  input: z.strictObject({ id: idSchema }),
  output: reachedAppSchema,
  errors: [],
  target: async (input, db) => forAnyGroup(await appTarget(db, input.id)),
  handler: async ({ actor, target, db }) => ({
    ...(await toApp(db, target.app, reachOf(actor))),
    scopes: scopesFor(actor, { ...target, wholeApp: true }),
  }),
});
