import { z } from "zod";
import { idSchema } from "@/lib/kernel/ids-schema";
import { ifStoredAtSchema, storedAtSchema } from "@/lib/kernel/if-updated-at-schema";
import { RULE_NAMES, type RuleName } from "@/lib/kernel/rule-names";

/** What a rule does with a build that breaks it. */
export const RULE_MODES = ["off", "warn", "refuse"] as const;

/** The limits of rules. */
export const MAX_GROWTH_PERCENT = 1_000;
export const MAX_PROFILE_DAYS = 365;
export const MAX_NOTES_CHARACTERS = 5_000;
export const MAX_CERTIFICATES = 20;
/** A SHA-256 with colons has 95; people also paste spaces. */
const MAX_HASH_CHARACTERS = 200;

const mode = z.enum(RULE_MODES);
const plain = z.strictObject({ mode });

/** SHA-256 in hexadecimal, as tools print it: in any case, also with colons. */
const certificateHash = z
  .string()
  .max(MAX_HASH_CHARACTERS)
  .trim()
  .transform((text) => text.replaceAll(":", "").toLowerCase())
  .refine((text) => /^[0-9a-f]{64}$/.test(text), { params: { code: "sha256" }, message: "sha256" });

const ruleShape = {
  /** It asks for a permission that Android asks people about, or has a usage description of iOS, that the one before had not. */
  newDangerousPermission: plain,
  /** It is larger than the one before by more than `percent`. */
  growthPercent: z.strictObject({ mode, percent: z.int().min(0).max(MAX_GROWTH_PERCENT) }),
  /** One of these certificates must have signed it; with none, one that signed the one before. */
  signingCertificates: z.strictObject({ mode, sha256: z.array(certificateHash).max(MAX_CERTIFICATES) }),
  /** It is debuggable. */
  debuggable: plain,
  /** It does not install on systems on which the one before did. */
  minimumSdkRaised: plain,
  /** Its provisioning profile is valid for fewer days. */
  profileDays: z.strictObject({ mode, days: z.int().min(1).max(MAX_PROFILE_DAYS) }),
  /** Neither its version nor its build number is higher than that of the one before. */
  versionMustRise: plain,
  /** Its notes are shorter. */
  notesRequired: z.strictObject({ mode, characters: z.int().min(1).max(MAX_NOTES_CHARACTERS) }),
  /** Its entitlements are others than those of the one before. */
  entitlementsChanged: plain,
} satisfies Record<RuleName, z.ZodType>;

export const rulesSchema = z.strictObject(ruleShape);
export type Rules = z.output<typeof rulesSchema>;

/** The rules of an environment that has none. */
export const NO_RULES: Rules = {
  newDangerousPermission: { mode: "off" },
  growthPercent: { mode: "off", percent: 20 },
  signingCertificates: { mode: "off", sha256: [] },
  debuggable: { mode: "off" },
  minimumSdkRaised: { mode: "off" },
  profileDays: { mode: "off", days: 14 },
  versionMustRise: { mode: "off" },
  notesRequired: { mode: "off", characters: 20 },
  entitlementsChanged: { mode: "off" },
};

const environmentInput = z.strictObject({ environmentId: idSchema });
export const getEnvironmentRulesInput = environmentInput;

/** What is left out stays as it is. */
export const updateEnvironmentRulesInput = environmentInput.extend({
  ...rulesSchema.partial().shape,
  ifUpdatedAt: ifStoredAtSchema,
});

export const environmentRulesSchema = rulesSchema.extend({ environmentId: idSchema, updatedAt: storedAtSchema });
export type EnvironmentRules = z.output<typeof environmentRulesSchema>;

/** A rule that a build breaks, with what was found. */
export const findingSchema = z.object({
  rule: z.enum(RULE_NAMES),
  /** For the text `validation.ruleFound.<rule>`. */
  params: z.record(z.string(), z.union([z.string(), z.number()])),
  /** Whether the rule refuses such builds, and somebody overrode it. */
  overridden: z.boolean(),
});
export type Finding = z.output<typeof findingSchema>;
