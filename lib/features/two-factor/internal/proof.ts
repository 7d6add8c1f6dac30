import "server-only";
import { familiarMark } from "@/lib/auth/familiar-networks";
import { hashRecoveryCode } from "@/lib/auth/recovery-codes";
import { totpStep } from "@/lib/auth/totp";
import type { Db } from "@/lib/db/client";
import { findTwoFactor, isRecoveryCode, openSecret, takeRecoveryCode, takeStep } from "@/lib/features/two-factor/data";
import type { Proof } from "@/lib/features/two-factor/schema";
import { networkOf } from "@/lib/http/network";
import { areMarked, consume, settleCounters } from "@/lib/http/rate-limit";
import { ApiError } from "@/lib/kernel/errors";

/** Wrong codes for one account from one network. */
const PER_ACCOUNT_AND_NETWORK = { points: 10, seconds: 900 };
/**
 * Wrong codes of an app for one account: from each familiar network, and from all others together. Three codes in a
 * million are right at any moment, so 90 guesses a day succeed with a probability of 1 in 3,700. An attacker who has the
 * password gets that from anywhere, and as much again in each network that the user uses too. Such an attacker locks the
 * user out for at most 8 hours, and only in networks that the user has not used for 30 days; there, a recovery code or a
 * passkey still works.
 */
const PER_ACCOUNT = { points: 30, seconds: 8 * 3_600 };

/** A proof that was checked and has not been used yet. */
type CheckedProof = { secret: Uint8Array; step: bigint } | { hash: Uint8Array<ArrayBuffer> };

/** The fault of a proof, as a key of the error's texts. */
type Flaw = "detail" | "detailUsed" | "detailRecovery";

function invalidProof(userId: string, detailKey: Flaw): ApiError {
  return new ApiError("invalid_otp", {
    detailKey,
    failureRecord: { table: "Session", action: "second-factor-failed", recordId: userId },
  });
}

/**
 * Checks a proof of a user's second factor, and counts the wrong ones. Codes of the app are also counted for the account,
 * which limits an attack from many networks. Recovery codes are not, because they cannot be guessed and must still work
 * after such an attack.
 * @throws ApiError two_factor_disabled, rate_limited, invalid_otp
 */
export async function checkProof(
  db: Db,
  userId: string,
  { code, recoveryCode }: Proof,
  request: { now: Date; ip: string | null },
): Promise<CheckedProof> {
  const twoFactor = await findTwoFactor(db, userId);
  if (!twoFactor || twoFactor.enabledAt === null) throw new ApiError("two_factor_disabled");
  const fromHere = `${userId} ${networkOf(request.ip)}`;
  const familiarHere = familiarMark("second-factor", userId, request.ip);

  if (recoveryCode !== undefined) {
    const here = { name: "recovery-code-account-address", limit: PER_ACCOUNT_AND_NETWORK, key: fromHere };
    await consume(here);
    const hash = hashRecoveryCode(recoveryCode);
    if (!(await isRecoveryCode(db, userId, hash))) throw invalidProof(userId, "detailRecovery");
    await settleCounters({ remove: here, marks: [familiarHere], takeBack: [] });
    return { hash };
  }

  const here = { name: "otp-account-address", limit: PER_ACCOUNT_AND_NETWORK, key: fromHere };
  const [isFamiliar] = await areMarked([familiarHere]);
  const account = { name: "otp-account", limit: PER_ACCOUNT, key: isFamiliar ? fromHere : userId };
  await consume(here);
  await consume(account);
  const step = totpStep(openSecret(userId, twoFactor), code as string, request.now);
  if (step === null) throw invalidProof(userId, "detail");
  if (twoFactor.lastUsedStep !== null && step <= twoFactor.lastUsedStep) throw invalidProof(userId, "detailUsed");
  await settleCounters({ remove: here, marks: [familiarHere], takeBack: [account] });
  return { secret: twoFactor.secret, step };
}

/**
 * Uses a proof, which works once.
 * @throws ApiError invalid_otp if another request has used it in the meantime
 */
export async function takeProof(tx: Db, userId: string, proof: CheckedProof, now: Date): Promise<void> {
  if ("step" in proof) {
    if (!(await takeStep(tx, userId, proof))) throw invalidProof(userId, "detailUsed");
  } else if (!(await takeRecoveryCode(tx, userId, proof.hash, now))) {
    throw invalidProof(userId, "detailRecovery");
  }
}
