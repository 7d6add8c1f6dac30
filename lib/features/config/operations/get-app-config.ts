import "server-only";
import { z } from "zod";
import { defineQuery } from "@/lib/api/operation";
import { readAppConfig, toAppConfig } from "../data";
import { appConfigSchema } from "../schema";

/** The console's name, description and logo, which the sign-in page also shows. */
export const getAppConfig = defineQuery({
  area: "config",
  name: "get-app-config",
  summary: "Get the console’s name, description and logo",
  access: "public",
  input: z.strictObject({}),
  output: appConfigSchema,
  errors: [],
  handler: async ({ db }) => toAppConfig(await readAppConfig(db)),
});
