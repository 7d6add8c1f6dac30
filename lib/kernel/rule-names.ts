/** The rules that an environment can have for builds; `lib/features/rules/schema.ts` says what each one requires. */
export const RULE_NAMES = [
  "newDangerousPermission",
  "growthPercent",
  "signingCertificates",
  "debuggable",
  "minimumSdkRaised",
  "profileDays",
  "versionMustRise",
  "notesRequired",
  "entitlementsChanged",
] as const;
export type RuleName = (typeof RULE_NAMES)[number];
