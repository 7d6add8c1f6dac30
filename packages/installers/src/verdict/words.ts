import { androidName } from "../android-versions";
import type { InstallerKind } from "../types";
import { DAY_MS } from "./time";
import type { Reason } from "./verdict";

/** The codes whose words depend on a value of the reason. */
const VARIANTS: Partial<Record<Reason["code"], (reason: Pick<Reason, "params" | "severity">) => string>> = {
  wrong_system: ({ params }) => `wrong_system_${params.for}`,
  device_family: ({ params }) => `device_family_${params.for}`,
  desktop: ({ params }) => `desktop_${params.for}`,
  unsigned: ({ params }) => (params.signature === "broken" ? "signature_broken" : "unsigned"),
  wrong_architecture: ({ severity }) => (severity === "blocks" ? "wrong_architecture" : "architecture_unknown"),
  target_sdk_too_low: ({ severity }) => (severity === "blocks" ? "target_sdk_too_low" : "target_sdk_unknown"),
  resources_not_mappable: ({ params }) =>
    params.how === "unaligned" ? "resources_unaligned" : "resources_not_mappable",
  system_too_old: ({ severity }) => (severity === "blocks" ? "system_too_old" : "system_unknown"),
  unknown_sources: ({ params }) => (params.perApp === "no" ? "unknown_sources_global" : "unknown_sources"),
  enterprise_trust: ({ params: { restarts } }) =>
    restarts === "yes" ? "enterprise_trust_18" : restarts === "no" ? "enterprise_trust_17" : "enterprise_trust",
};

/** The key of the words of a reason: its code, and for some a variant. */
export function wordsKey(reason: Pick<Reason, "code" | "params" | "severity">): string {
  return VARIANTS[reason.code]?.(reason) ?? reason.code;
}

/** The values for the words of a reason. */
export function reasonValues({ params }: Pick<Reason, "params">, kind: InstallerKind, now: Date): Reason["params"] {
  const { needed, at, since } = params;
  return {
    ...params,
    ...(needed !== undefined && {
      system: kind === "ipa" ? `iOS ${needed}` : androidName(needed),
    }),
    ...(since !== undefined && { sinceSystem: androidName(since) }),
    ...(at !== undefined && { days: Math.floor((Date.parse(String(at)) - now.getTime()) / DAY_MS) }),
  };
}

/** The words of a reason: what it is, why, and what to do next. */
export interface ReasonWords {
  title: string;
  detail: string;
  /** In their order; empty where nothing is left to do. */
  steps: string[];
}

/** A translator of all texts, for keys that are built from values. */
interface ReasonTranslator {
  (key: never, values: never): string;
  has(key: never): boolean;
}

const STEPS = ["step", "step2", "step3"] as const;

/**
 * The words of a reason, from the texts below `install.reasons`. The server, the pages and the command-line tool take them from here.
 */
export function reasonWords(t: ReasonTranslator, reason: Reason, kind: InstallerKind, now: Date): ReasonWords {
  const values = reasonValues(reason, kind, now) as never;
  const key = (part: string) => `install.reasons.${wordsKey(reason)}.${part}` as never;
  const steps = STEPS.filter((step) => t.has(key(step))).map((step) => t(key(step), values));
  return { title: t(key("title"), values), detail: t(key("detail"), values), steps };
}
