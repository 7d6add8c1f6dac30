import "server-only";
import { defineCommand } from "@/lib/api/operation";
import { openEnvelope } from "@/lib/auth/password-envelope";
import { type HashCaller, hashPassword, needsRehash, verifyPassword } from "@/lib/auth/passwords";
import { countSignInTry } from "@/lib/auth/sign-in-throttle";
import { widestNetworkOf } from "@/lib/http/network";
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
  summary: "Sign in with email and password",
  access: "public",
  signsIn: true,
  input: emailLoginInput,
  output: signedInSchema,
  status: 200,
  errors: ["invalid_credentials", "invalid_nonce"],
  rateLimit: { points: 60, seconds: 60, by: "address", account: "email" },
  audit: { table: "Session", action: "sign-in" },
  async prepare({ input, db, request }) {
    const { password, redeem } = await openEnvelope(input.password, request.now);
    // The nonce is redeemed while the password is verified. Nobody is signed in, and no password refused, before it is redeemed.
    const redeemed = redeem();
    redeemed.catch(() => {});
    const [counted, candidate] = await Promise.all([
      countSignInTry(input.email, request),
      signInCandidate(db, input.email),
    ]);
    const passwordHash = candidate?.passwordHash ?? null;
    const caller: HashCaller = { lane: "sign-in", id: widestNetworkOf(request.ip) };
    const verified = verifyPassword(passwordHash, password, caller);
    verified.catch(() => {});
    await redeemed;
    if (!(await verified) || candidate === null || passwordHash === null) {
      throw refused(candidate?.userId ?? null);
    }
    const counters = counted.succeeded();
    // Awaited by the handler, unless the transaction fails.
    counters.catch(() => {});
    return {
      userId: candidate.userId,
      counters,
      password: {
        verifiedHash: passwordHash,
        betterHash: needsRehash(passwordHash) ? await hashPassword(password, caller) : undefined,
      },
    };
  },
  async handler(context) {
    const { tx, request } = context;
    const { counters, ...verified } = context.prepared;
    const user = await recordSignIn(tx, { ...verified, at: request.now });
    await counters;
    // The password may have been reset, or its user switched off, while it was verified.
    if (user === null) throw refused(verified.userId);
    return beginSession(context, { user, method: "password", changes: {} });
  },
});
