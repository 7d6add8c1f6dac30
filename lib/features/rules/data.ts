import "server-only";
import type { Db } from "@/lib/db/client";
import { lockUntilCommit } from "@/lib/db/locks";
import { ApiError } from "@/lib/kernel/errors";
import type { ConsoleEvent } from "@/lib/kernel/events";
import { type BrokenRule, brokenRules, type RuledBuild } from "./rules";
import { type EnvironmentRules, type Finding, NO_RULES, type Rules, rulesSchema } from "./schema";

/** The rules of an environment, and when they were stored; null if they were not. */
interface StoredRules {
  rules: Rules;
  updatedAt: Date | null;
}

/** The rules of an environment. */
export async function findRules(from: Db, environmentId: string): Promise<StoredRules> {
  const row = await from.environmentRules.findUnique({
    where: { environmentId },
    select: { rules: true, updatedAt: true },
  });
  if (!row) return { rules: NO_RULES, updatedAt: null };
  return { rules: rulesSchema.parse({ ...NO_RULES, ...(row.rules as object) }), updatedAt: row.updatedAt };
}

/** Like `findRules`; no other transaction changes them until this one ends. */
export async function lockRules(tx: Db, environmentId: string): Promise<StoredRules> {
  await lockUntilCommit(tx, `rules:${environmentId}`);
  return findRules(tx, environmentId);
}

/** Stores the rules of an environment. */
export async function saveRules(tx: Db, environmentId: string, rules: Rules): Promise<StoredRules> {
  const { updatedAt } = await tx.environmentRules.upsert({
    where: { environmentId },
    create: { environmentId, rules },
    update: { rules },
    select: { updatedAt: true },
  });
  return { rules, updatedAt };
}

/** Rules as the API shows them. */
export function toEnvironmentRules(environmentId: string, { rules, updatedAt }: StoredRules): EnvironmentRules {
  return { environmentId, ...rules, updatedAt: updatedAt?.toISOString() ?? null };
}

/**
 * Checks a build against the rules of the environment in which it is published.
 * @param place.before finds the build before it; only called if there is a rule
 * @param place.refusal the event of a refusal, for webhooks
 * @param place.override whether the caller, who may change the rules, publishes it all the same
 * @returns what stands on the release: the rules that warn, and those that were overridden
 * @throws ApiError rule_violated
 */
export async function requireRules(
  tx: Db,
  build: RuledBuild,
  place: {
    environmentId: string;
    before(): Promise<RuledBuild | null>;
    refusal(broken: readonly BrokenRule[]): ConsoleEvent;
    override: boolean;
    now: Date;
  },
): Promise<Finding[]> {
  const { rules } = await findRules(tx, place.environmentId);
  if (Object.values(rules).every(({ mode }) => mode === "off")) return [];
  const broken = brokenRules(rules, build, await place.before(), place.now);
  const refusing = broken.filter(({ mode }) => mode === "refuse");
  if (refusing.length > 0 && !place.override) {
    throw new ApiError("rule_violated", {
      params: { count: refusing.length },
      events: [place.refusal(broken)],
      issues: refusing.map(({ rule, params }) => ({
        path: [rule],
        code: rule,
        message: `ruleFound.${rule}`,
        params,
      })),
    });
  }
  return broken.map(({ rule, mode, params }) => ({ rule, params, overridden: mode === "refuse" }));
}
