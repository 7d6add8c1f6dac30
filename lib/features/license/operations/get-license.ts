import "server-only";
import { z } from "zod";
import { defineQuery } from "@/lib/api/operation";
import { readCurrentLicense } from "@/lib/expiry/current-license";
import { toLicense } from "../internal/current-license";
import { licenseSchema } from "../schema";

/** The console's license and the days that are left of it. */
export const getLicense = defineQuery({
  area: "external-services",
  name: "get-license",
  summary: "Get the license and its remaining days",
  access: "admin",
  input: z.strictObject({}),
  output: licenseSchema,
  errors: [],
  handler: async ({ db, request }) => toLicense(await readCurrentLicense(db), request.now),
});
