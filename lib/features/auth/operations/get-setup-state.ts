import "server-only";
import { defineQuery } from "@/lib/api/operation";
import { hasSuperAdmin } from "@/lib/auth/first-admin";
import { isSetupToken } from "@/lib/auth/setup";
import { getSetupStateInput, setupStateSchema } from "../schema";

/** Whether the console has no administrator yet, and whether a setup link is valid. */
export const getSetupState = defineQuery({
  area: "auth",
  name: "get-setup-state",
  summary: "Check whether the console waits for its first administrator",
  access: "public",
  input: getSetupStateInput,
  output: setupStateSchema,
  errors: [],
  async handler({ input, db, request }) {
    const linkValid = input.token !== undefined && (await isSetupToken(db, input.token, request.now));
    if (await hasSuperAdmin(db)) return { needed: false, linkValid: false };
    return { needed: true, linkValid };
  },
});
