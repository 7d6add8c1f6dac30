import "server-only";
import { orNotFound } from "@/lib/api/list";
import { defineCommand } from "@/lib/api/operation";
import { createFirstAdmin, hasSuperAdmin } from "@/lib/auth/first-admin";
import { openPassword } from "@/lib/auth/password-envelope";
import { hashPassword, requireGoodPassword } from "@/lib/auth/passwords";
import { invalidSetupToken, isSetupToken, redeemSetupToken } from "@/lib/auth/setup";
import { ApiError } from "@/lib/kernel/errors";
import { beginSession, recordSignIn } from "../data";
import { passwordEnvelopeSchema, setupFirstAdminInput, signedInSchema } from "../schema";

/** Creates the first SUPER_ADMIN by the one-time setup link, and signs them in. */
export const setupFirstAdmin = defineCommand({
  area: "auth",
  name: "setup-first-admin",
  summary: "Create the first administrator with the one-time setup link",
  access: "public",
  input: setupFirstAdminInput,
  output: signedInSchema,
  status: 201,
  errors: ["already_set_up", "invalid_token", "invalid_nonce"],
  rateLimit: { points: 20, seconds: 60, by: "address" },
  audit: { table: "User", action: "setup" },
  async prepare({ input, db, request }) {
    // Before the administrator: if another caller has just used the link, their administrator exists by now.
    const linkValid = await isSetupToken(db, input.token, request.now);
    if (await hasSuperAdmin(db)) throw new ApiError("already_set_up");
    if (!linkValid) throw invalidSetupToken();
    const sealed = passwordEnvelopeSchema.safeParse(input.password).success;
    const password = sealed ? await openPassword(input.password, request.now) : input.password;
    requireGoodPassword(password, [input.firstNames, input.lastNames, input.email, "slipway"]);
    return { passwordHash: await hashPassword(password) };
  },
  async handler(context) {
    const { input, prepared, tx, request } = context;
    // First, so that a second caller learns that there is an administrator, and not that the link was used.
    const userId = await createFirstAdmin(tx, {
      firstNames: input.firstNames,
      lastNames: input.lastNames,
      email: input.email,
      passwordHash: prepared.passwordHash,
      locale: request.locale,
    });
    await redeemSetupToken(tx, input.token, request.now);
    const user = orNotFound(await recordSignIn(tx, { userId, at: request.now }));
    const { output, audit } = await beginSession(context, {
      user,
      method: "setup",
      changes: { email: [null, user.email] },
    });
    return { output, audit: { ...audit, recordId: userId } };
  },
});
