import "server-only";
import { defineCommand } from "@/lib/api/operation";
import { openPassword } from "@/lib/auth/password-envelope";
import { hashPassword, needsRehash, verifyPassword } from "@/lib/auth/passwords";
import { beginSession } from "@/lib/auth/sessions";
import { countSignInTry } from "@/lib/auth/sign-in-throttle";
import { ApiError } from "@/lib/kernel/errors";
import { recordPasswordSignIn, signInCandidate, toUser } from "../data";
import { emailLoginInput, signedInSchema } from "../schema";

function refused(userId: string | null): ApiError {
  return new ApiError("invalid_credentials", {
    failureRecord: { table: "Session", action: "sign-in-failed", recordId: userId },
  });
}

/** Signs in by e-mail and password. Everything that can be wrong with the two answers alike. */
export const emailLogin = defineCommand({
  area: "auth",
  name: "email-login",
  summary: "Sign in by e-mail and password",
  access: "public",
  input: emailLoginInput,
  output: signedInSchema,
  status: 200,
  errors: ["invalid_credentials", "invalid_nonce"],
  rateLimit: { points: 60, seconds: 60, by: "address" },
  audit: { table: "Session", action: "sign-in" },
  async prepare({ input, db, request }) {
    const password = await openPassword(input.password, request.now);
    const [counted, candidate] = await Promise.all([
      countSignInTry(input.email, request.ip),
      signInCandidate(db, input.email),
    ]);
    const passwordHash = candidate?.passwordHash ?? null;
    if (!(await verifyPassword(passwordHash, password)) || candidate === null || passwordHash === null) {
      throw refused(candidate?.userId ?? null);
    }
    await counted.succeeded();
    return {
      userId: candidate.userId,
      verifiedHash: passwordHash,
      betterHash: needsRehash(passwordHash) ? await hashPassword(password) : undefined,
    };
  },
  async handler({ prepared, tx, request, session }) {
    const user = await recordPasswordSignIn(tx, { ...prepared, at: request.now });
    // Verifying takes its time: the password may have been reset, or its user switched off, in the meantime.
    if (user === null) throw refused(prepared.userId);
    const begun = await beginSession(tx, {
      userId: user.id,
      method: "password",
      now: request.now,
      ip: request.ip,
      userAgent: request.userAgent,
    });
    session.begin(begun);
    const shown = toUser(user);
    return {
      output: { user: shown, exp: begun.exp, twoFactorRequired: shown.twoFactorEnabled },
      audit: { recordId: begun.sessionId, changes: {}, userId: user.id },
    };
  },
});
