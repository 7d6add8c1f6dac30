import "server-only";
import type { Locale } from "@/lib/kernel/i18n/locales";
import { type LooseTranslator, translatorFor } from "@/lib/kernel/i18n/translator";
import type { Access } from "@/lib/permissions/authorize";
import type { SecondFactorRule } from "@/lib/permissions/second-factor";
import { isAudited, type Operation } from "./operation";

const ACCESS_TEXTS = {
  public: "public",
  "partial-session": "partialSession",
  user: "user",
  admin: "admin",
  "any-scope": "anyScope",
} as const;

/** Returns the key of the text that says who may call an operation, with its arguments. */
function accessText(access: Access): [key: string, values?: Record<string, string>] {
  if (typeof access === "string") {
    const key = (ACCESS_TEXTS as Partial<Record<string, string>>)[access];
    return key ? [key] : ["scope", { scope: access }];
  }
  if ("client" in access) {
    if (access.client === "any-scope") return ["anyScopeClient"];
    return [access.server ? "serverClient" : "client", { scope: access.client }];
  }
  if ("link" in access) return ["link"];
  if (!("own" in access)) return ["anyTarget", { scope: access.anyTarget }];
  return "anyTarget" in access
    ? ["ownWithScope", { scope: access.anyTarget, own: access.own }]
    : ["own", { own: access.own }];
}

const SECOND_FACTOR_TEXTS = {
  enrolled: "secondFactorEnrolled",
  recent: "secondFactorRecent",
  recentIfEnrolled: "secondFactorRecentIfEnrolled",
  inInput: "secondFactorInInput",
} as const satisfies Record<SecondFactorRule, string>;

/**
 * What an operation does and who may call it, in a language.
 * @returns `summary`: one line; `description`: the access, the second factor and the audit record, in Markdown
 */
export function operationInWords(operation: Operation, locale: Locale): { summary: string; description: string } {
  // The contract tests check the keys.
  const t = translatorFor(locale) as unknown as LooseTranslator;
  const { area, name, access, secondFactor } = operation;
  const [key, values] = accessText(access);
  const sentences = [t("apiDocs.access.label", { access: t(`apiDocs.access.${key}`, values) })];
  if (secondFactor) sentences.push(t(`apiDocs.access.${SECOND_FACTOR_TEXTS[secondFactor]}`));
  if (operation.method === "GET" && isAudited(operation)) {
    sentences.push(t(`apiDocs.access.${operation.audit.stepwise ? "recordedStepwise" : "recorded"}`));
  }
  return { summary: t(`operations.${area}.${name}`), description: sentences.join(" ") };
}
