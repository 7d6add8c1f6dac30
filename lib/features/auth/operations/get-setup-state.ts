import "server-only";
import { defineQuery } from "@/lib/api/operation";
import { hasSuperAdmin } from "@/lib/auth/first-admin";
import { requireSetupToken } from "@/lib/auth/setup";
import { ApiError } from "@/lib/kernel/errors";
import { getSetupStateInput, setupStateSchema } from "../schema";

/** Whether the console still waits for its first administrator, and whether a setup link is the one that makes it. */
export const getSetupState = defineQuery({
  area: "auth",
  name: "get-setup-state",
  summary: "Whether the console waits for its first administrator",
  access: "public",
  input: getSetupStateInput,
  output: setupStateSchema,
  errors: [],
  rateLimit: { points: 60, seconds: 60, by: "address" },
  async handler({ input, db, request }) {
    if (await hasSuperAdmin(db)) return { needed: false, linkValid: false };
    if (!input.token) return { needed: true, linkValid: false };
    try {
      await requireSetupToken(db, input.token, request.now);
      return { needed: true, linkValid: true };
    } catch (error) {
      if (error instanceof ApiError && error.code === "invalid_token") return { needed: true, linkValid: false };
      throw error;
    }
  },
});
