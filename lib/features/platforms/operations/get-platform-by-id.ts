import "server-only";
import { z } from "zod";
import { orNotFound } from "@/lib/api/list";
import { defineQuery } from "@/lib/api/operation";
import { idSchema } from "@/lib/kernel/ids-schema";
import { findPlatform, toPlatform } from "../data";
import { platformSchema } from "../schema";

/** One platform. */
export const getPlatformById = defineQuery({
  area: "config",
  name: "get-platform-by-id",
  summary: "Get a platform",
  access: "user",
  input: z.strictObject({ id: idSchema }),
  output: platformSchema,
  errors: ["not_found"],
  handler: async ({ input, db }) => toPlatform(orNotFound(await findPlatform(db, input.id))),
});
