import "server-only";
import { defineCommand } from "@/lib/api/operation";
import { openPassword } from "@/lib/auth/password-envelope";
import { hashPassword, needsRehash, verifyPassword } from "@/lib/auth/passwords";
import { countSignInTry } from "@/lib/auth/sign-in-throttle";
import { ApiError } from "@/lib/kernel/errors";
import { beginSession, recordSignIn, signInCandidate } from "../data";
import { emailLoginInput, signedInSchema } from "../schema";

function refused(userId: string | null): ApiError {
  return new ApiError("invalid_credentials", {
    failureRecord: { table: "Session", action: "sign-in-failed", recordId: userId },
  });
}

/** Signs in by e-mail and password. Every refusal gives the same response. */
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
      password: {
        verifiedHash: passwordHash,
        betterHash: needsRehash(passwordHash) ? await hashPassword(password) : undefined,
      },
    };
  },
  async handler(context) {
    const { prepared, tx, request } = context;
    const user = await recordSignIn(tx, { ...prepared, at: request.now });
    // The password may have been reset, or its user switched off, while it was verified.
    if (user === null) throw refused(prepared.userId);
    return beginSession(context, { user, method: "password", changes: {} });
  },
});
