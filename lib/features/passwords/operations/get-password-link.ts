import "server-only";
import { defineQuery } from "@/lib/api/operation";
import { findPasswordLink } from "@/lib/auth/password-links";
import { getPasswordLinkInput, passwordLinkSchema } from "../schema";

/** Whether a link to a new password is valid, and for which user. */
export const getPasswordLink = defineQuery({
  area: "auth",
  name: "get-password-link",
  summary: "Check whether a link to a new password is still valid",
  access: "public",
  input: getPasswordLinkInput,
  output: passwordLinkSchema,
  errors: [],
  rateLimit: { points: 60, seconds: 60, by: "address" },
  async handler({ input, db, request }) {
    const link = await findPasswordLink(db, input.token, request.now);
    return { purpose: link?.purpose ?? null, email: link?.user.email ?? null };
  },
});
