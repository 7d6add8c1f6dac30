import "server-only";
import { orNotFound } from "@/lib/api/list";
import { defineCommand } from "@/lib/api/operation";
import { createFirstAdmin, hasSuperAdmin } from "@/lib/auth/first-admin";
import { openPassword } from "@/lib/auth/password-envelope";
import { hashPassword, requireGoodPassword } from "@/lib/auth/passwords";
import { beginSession } from "@/lib/auth/sessions";
import { invalidSetupToken, isSetupToken, redeemSetupToken } from "@/lib/auth/setup";
import { ApiError } from "@/lib/kernel/errors";
import { findUser, toUser } from "../data";
import { passwordEnvelopeSchema, setupFirstAdminInput, signedInSchema } from "../schema";

/** Makes the first SUPER_ADMIN by the one-time setup link, and signs them in. */
export const setupFirstAdmin = defineCommand({
  area: "auth",
  name: "setup-first-admin",
  summary: "Make the first administrator by the one-time setup link",
  access: "public",
  input: setupFirstAdminInput,
  output: signedInSchema,
  status: 201,
  errors: ["already_set_up", "invalid_token", "invalid_nonce"],
  rateLimit: { points: 20, seconds: 60, by: "address" },
  audit: { table: "User", action: "setup" },
  async prepare({ input, db, request }) {
    // The link is looked at first: where another caller has just used it, their administrator is there to be seen.
    const linkValid = await isSetupToken(db, input.token, request.now);
    if (await hasSuperAdmin(db)) throw new ApiError("already_set_up");
    if (!linkValid) throw invalidSetupToken();
    const sealed = passwordEnvelopeSchema.safeParse(input.password).success;
    const password = sealed ? await openPassword(input.password, request.now) : input.password;
    requireGoodPassword(password, [input.firstNames, input.lastNames, input.email, "slipway"]);
    return { passwordHash: await hashPassword(password) };
  },
  async handler({ input, prepared, tx, request, session }) {
    // First, so that whoever comes second is told that there is an administrator, and not that the link is used up.
    const userId = await createFirstAdmin(tx, {
      firstNames: input.firstNames,
      lastNames: input.lastNames,
      email: input.email,
      passwordHash: prepared.passwordHash,
      locale: request.locale,
    });
    await redeemSetupToken(tx, input.token, request.now);
    const user = orNotFound(await findUser(tx, userId));
    const begun = await beginSession(tx, {
      userId,
      method: "setup",
      now: request.now,
      ip: request.ip,
      userAgent: request.userAgent,
    });
    session.begin(begun);
    return {
      output: { user: toUser(user), exp: begun.exp, twoFactorRequired: false },
      audit: { recordId: user.id, changes: { email: [null, user.email] }, userId: user.id },
    };
  },
});
