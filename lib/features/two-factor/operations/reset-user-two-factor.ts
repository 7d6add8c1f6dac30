import "server-only";
import { z } from "zod";
import { orNotFound } from "@/lib/api/list";
import { defineCommand } from "@/lib/api/operation";
import type { Changes } from "@/lib/audit/write";
import { endSessions } from "@/lib/auth/sessions";
import { findUser } from "@/lib/features/auth/data";
import { administratorsCanSignIn, enabledProviders, lockSignInMethods } from "@/lib/features/auth-providers/data";
import { requestNotice } from "@/lib/jobs/mail";
import { ApiError, invalidField } from "@/lib/kernel/errors";
import { removeFactors } from "../data";
import { resetUserTwoFactorInput } from "../schema";

/**
 * Turns off the two-factor authentication of a user who has lost all factors, deletes their passkeys and ends their sessions. The
 * caller's own requires a code (delete-two-factor), so that a stolen session of an administrator cannot turn it off.
 */
export const resetUserTwoFactor = defineCommand({
  area: "auth",
  name: "reset-user-two-factor",
  summary: "Turn off the two-factor authentication of another user",
  access: "admin",
  secondFactor: "recentIfEnrolled",
  input: resetUserTwoFactorInput,
  output: z.undefined(),
  status: 204,
  errors: ["not_found", "two_factor_disabled", "last_provider"],
  audit: { table: "TwoFactor", action: "reset" },
  async handler({ actor, input, tx, request }) {
    if (actor.userId === input.id) throw invalidField("id", "ownTwoFactor");
    const user = orNotFound(await findUser(tx, input.id));
    await lockSignInMethods(tx);
    const { twoFactor, passkeys } = await removeFactors(tx, user.id);
    if (!twoFactor && passkeys === 0) throw new ApiError("two_factor_disabled", { detailKey: "detailReset" });
    if (!(await administratorsCanSignIn(tx, await enabledProviders(tx), { invited: true }))) {
      throw new ApiError("last_provider");
    }
    await endSessions(tx, user.id);
    // The user is not told the administrator's address.
    await requestNotice(tx, { purpose: "two-factor-reset", userId: user.id }, { ...request, ip: null });
    const changes = { ...(twoFactor && { enabled: [true, false] }), ...(passkeys > 0 && { passkeys: [passkeys, 0] }) };
    return { output: undefined, audit: { recordId: user.id, changes: changes as Changes } };
  },
});
