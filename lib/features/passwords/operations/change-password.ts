import "server-only";
import { z } from "zod";
import { defineCommand } from "@/lib/api/operation";
import { openPassword } from "@/lib/auth/password-envelope";
import { passwordUser, revokePasswordLinks } from "@/lib/auth/password-links";
import { hashPassword, requireGoodPassword, verifyPassword } from "@/lib/auth/passwords";
import { endSessions, lockSession } from "@/lib/auth/sessions";
import { countSignInTry } from "@/lib/auth/sign-in-throttle";
import { readAppConfig } from "@/lib/features/config/data";
import { requestNotice } from "@/lib/jobs/mail";
import { ApiError, conflict } from "@/lib/kernel/errors";
import { replacePassword } from "../data";
import { changePasswordInput } from "../schema";

/** The refusal of a wrong current password, which the audit log records. */
function wrongPassword(userId: string): ApiError {
  return new ApiError("validation_failed", {
    issues: [{ path: ["currentPassword"], code: "wrongPassword", message: "wrongPassword" }],
    failureRecord: { table: "User", action: "change-password-failed", recordId: userId },
  });
}

/**
 * Changes the caller's password. The current one must be entered; wrong ones count as failed sign-ins. All other sessions
 * end, and links to a new password become invalid.
 */
export const changePassword = defineCommand({
  area: "auth",
  name: "change-password",
  summary: "Change the caller’s own password",
  access: "user",
  input: changePasswordInput,
  output: z.undefined(),
  status: 204,
  errors: ["conflict", "invalid_nonce"],
  rateLimit: { points: 20, seconds: 60, by: "actor" },
  audit: { table: "User", action: "change-password" },
  async prepare({ actor: { userId }, input, db, request }) {
    const hashing = { lane: "sign-in", id: userId } as const;
    const user = await passwordUser(db, userId);
    if (!user?.passwordHash) throw conflict("currentPassword", "noPassword");
    const current = await openPassword(input.currentPassword, request.now);
    const password = await openPassword(input.password, request.now);
    const counted = await countSignInTry(user.email, request);
    if (!(await verifyPassword(user.passwordHash, current, hashing))) throw wrongPassword(userId);
    await counted.succeeded();
    const { name } = await readAppConfig(db);
    requireGoodPassword(password, [user.firstNames, user.lastNames, user.email, name, "slipway"]);
    return { verifiedHash: user.passwordHash, passwordHash: await hashPassword(password, hashing) };
  },
  async handler({ actor, prepared, tx, request }) {
    const { userId, sessionId } = actor;
    await lockSession(tx, actor);
    // The password may have been changed while this one was verified.
    if (!(await replacePassword(tx, userId, prepared))) throw wrongPassword(userId);
    await revokePasswordLinks(tx, userId);
    await endSessions(tx, userId, sessionId);
    await requestNotice(tx, { purpose: "password-changed", userId }, request);
    return { output: undefined, audit: { recordId: userId, changes: { passwordHash: ["", ""] } } };
  },
});
