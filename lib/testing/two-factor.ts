import { generateSync } from "otplib";
import type { Operation } from "@/lib/api/operation";
import { newTotpSecret, type TotpAlgorithm } from "@/lib/auth/totp";
import { db } from "@/lib/db/client";
import { seal } from "@/lib/kernel/crypto/sealed";
import { aUser, type Caller, send, type TestUser } from "./console";
import type { Sample } from "./sample";

/** Returns the TOTP code (RFC 6238) of a secret; by default, for the current time. */
export function codeOf(secret: string, at = new Date(), algorithm: TotpAlgorithm = "sha256"): string {
  return generateSync({ secret, algorithm, epoch: Math.floor(at.getTime() / 1000) });
}

/** Returns a code that is not valid within 60 seconds of now. */
export function wrongCode(secret: string): string {
  const near = [-60, -30, 0, 30, 60].map((seconds) => codeOf(secret, new Date(Date.now() + seconds * 1000)));
  return ["000000", "111111", "222222", "333333", "444444", "555555"].find((code) => !near.includes(code)) as string;
}

/**
 * Turns on two-factor authentication for a user.
 * @param options.passed whether the user's session has passed it
 * @returns the TOTP secret
 */
export async function withTwoFactor(
  user: Pick<TestUser, "userId" | "sessionId">,
  options: { passed?: boolean } = {},
): Promise<string> {
  const { userId, sessionId } = user;
  const secret = newTotpSecret();
  const row = {
    secret: seal(secret, { table: "TwoFactor", id: userId, column: "secret" }),
    enabledAt: new Date(),
    lastUsedStep: null,
  };
  await db.twoFactor.upsert({ where: { userId }, create: { userId, ...row }, update: row });
  const passedAt = options.passed ? new Date() : null;
  const data = { secondFactorAt: passedAt, secondFactorConfirmedAt: passedAt };
  await db.session.updateMany({ where: { id: sessionId }, data });
  return secret;
}

/** Returns whether a caller is a user, not an API token or anonymous. */
export function isTestUser(caller: Caller): caller is TestUser {
  return "userId" in caller;
}

/** Returns a sample that sends a TOTP code of its owner, whose second factor is on and passed. */
export function twoFactorSample(operation: Operation): Sample {
  return {
    operation,
    input: () => ({}),
    arrange: async (_world, owner) => {
      const user = owner && isTestUser(owner) ? owner : await aUser({ admin: true });
      const secret = await withTwoFactor(user, { passed: true });
      return (sender = user) => send(operation, sender, { code: codeOf(secret) });
    },
  };
}
