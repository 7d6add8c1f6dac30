import { ApiError } from "@/lib/kernel/errors";
import type { Actor } from "./actor";
import type { OwnedTarget, Target } from "./authorize";

/**
 * What an operation requires of a person's second factor, beyond its access. API tokens are judged by their scopes alone.
 * - `enrolled`: the session has passed a second factor
 * - `recent`: it has proved one within the last 15 minutes, by a code of the app or by a passkey; a recovery code does
 *   not count
 * - `recentIfEnrolled`: as `recent`, for users who have an authenticator app or a passkey. For what adds or removes a
 *   factor, and for what gives access that outlives the session: otherwise a stolen session would be enough to get past
 *   the second factor
 * - `inInput`: the input carries a code, which the operation checks
 */
export type SecondFactorRule = "enrolled" | "recent" | "recentIfEnrolled" | "inInput";

/** How long a proof of the second factor counts as recent, in milliseconds. */
export const RECENT_SECOND_FACTOR_MS = 15 * 60_000;

/** How much the clocks of instances may differ. A later proof is one of a clock that was wrong, and would be recent for too long. */
const CLOCK_TOLERANCE_MS = 60_000;

/** Whether a proof counts as recent. */
function isRecent(provedAt: Date | null | undefined, now: Date): boolean {
  const age = now.getTime() - (provedAt?.getTime() ?? Number.NEGATIVE_INFINITY);
  return age <= RECENT_SECOND_FACTOR_MS && age >= -CLOCK_TOLERANCE_MS;
}

/** What a caller lacks by a rule: the code of the error; null if they lack nothing. */
function missingFactor(
  rule: SecondFactorRule | undefined,
  actor: Actor,
  now: Date,
): "two_factor_required" | "two_factor_enrollment_required" | null {
  if (rule === undefined || rule === "inInput" || actor.kind !== "user") return null;
  const ifEnrolled = rule === "recentIfEnrolled";
  if (ifEnrolled && !actor.twoFactorEnabled && !actor.hasPasskey) return null;
  if (!actor.secondFactor) {
    const canConfirm = actor.twoFactorEnabled || ifEnrolled;
    return canConfirm ? "two_factor_required" : "two_factor_enrollment_required";
  }
  return rule === "enrolled" || isRecent(actor.secondFactorConfirmedAt, now) ? null : "two_factor_required";
}

/** Whether a caller meets a rule, for what an answer shows only to those who do. */
export function meetsSecondFactor(rule: SecondFactorRule | undefined, actor: Actor, now: Date): boolean {
  return missingFactor(rule, actor, now) === null;
}

/**
 * Checks the second factor of a caller whose access has been checked, so that nobody learns more from it than from a
 * refusal of the access.
 * @param target what the call acts on, where its input adds rules
 * @throws ApiError two_factor_required where the caller has to prove it (again), two_factor_enrollment_required where
 *   they have to set it up first
 */
export function authorizeSecondFactor(
  rule: SecondFactorRule | undefined,
  actor: Actor,
  now: Date,
  target?: Target | OwnedTarget | null,
): void {
  const further = target && "requires" in target ? target.requires : [];
  for (const requirement of further ?? []) authorizeSecondFactor(requirement.secondFactor, actor, now);
  const missing = missingFactor(rule, actor, now);
  if (missing !== null) throw new ApiError(missing);
}
