import "server-only";
import { z } from "zod";
import { defineCommand } from "@/lib/api/operation";
import { openPassword } from "@/lib/auth/password-envelope";
import { findPasswordLink, redeemPasswordLink } from "@/lib/auth/password-links";
import { hashPassword, requireGoodPassword } from "@/lib/auth/passwords";
import { endSessions } from "@/lib/auth/sessions";
import { readAppConfig } from "@/lib/features/config/data";
import { requestNotice } from "@/lib/jobs/mail";
import { ApiError } from "@/lib/kernel/errors";
import { updatePasswordInput } from "../schema";

/**
 * Sets a password by the link of a recovery or an invitation, and ends every session of the user. It begins none, so the
 * next sign-in asks for the second factor.
 */
export const updatePassword = defineCommand({
  area: "auth",
  name: "update-password",
  summary: "Set a new password with the link that was sent",
  access: "public",
  input: updatePasswordInput,
  output: z.undefined(),
  status: 204,
  errors: ["link_expired", "invalid_nonce"],
  rateLimit: { points: 20, seconds: 60, by: "address" },
  audit: { table: "User", action: "update-password" },
  async prepare({ input, db, request }) {
    const link = await findPasswordLink(db, input.token, request.now);
    if (!link) throw new ApiError("link_expired");
    const { id, firstNames, lastNames, email } = link.user;
    const password = await openPassword(input.password, request.now);
    const { name } = await readAppConfig(db);
    requireGoodPassword(password, [firstNames, lastNames, email, name, "slipway"]);
    return { userId: id, passwordHash: await hashPassword(password, { lane: "sign-in", id }) };
  },
  async handler({ input, prepared, tx, request }) {
    const { userId, passwordHash } = prepared;
    const redeemed = await redeemPasswordLink(tx, { token: input.token, userId, passwordHash, now: request.now });
    if (!redeemed) throw new ApiError("link_expired");
    await endSessions(tx, userId);
    await requestNotice(tx, { purpose: "password-changed", userId }, request);
    return {
      output: undefined,
      audit: { recordId: userId, changes: { passwordHash: [redeemed.first ? null : "", ""] }, userId },
    };
  },
});
