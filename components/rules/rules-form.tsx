"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { useWatch } from "react-hook-form";
import { z } from "zod";
import { EditConflictNotice, useEditConflict } from "@/components/common/form/edit-conflict-notice";
import { Form } from "@/components/common/form/form";
import { FormField } from "@/components/common/form/form-field";
import { SelectField } from "@/components/common/form/select-field";
import { showStored } from "@/components/common/form/show-stored";
import { SubmitButton } from "@/components/common/form/submit-button";
import { useZodForm } from "@/components/common/form/use-zod-form";
import { useUnsavedInput } from "@/components/common/unsaved-input";
import { Input } from "@/components/ui/input";
import { Textarea } from "@/components/ui/textarea";
import { query } from "@/lib/client/client";
import { notify } from "@/lib/client/notify";
import { useOperation } from "@/lib/client/use-operation";
import {
  type EnvironmentRules,
  MAX_GROWTH_PERCENT,
  MAX_NOTES_CHARACTERS,
  MAX_PROFILE_DAYS,
  RULE_MODES,
  rulesSchema,
} from "@/lib/features/rules/schema";
import { RULE_NAMES, type RuleName } from "@/lib/kernel/rule-names";

const number = (min: number, max: number) => z.coerce.number<string>().int().min(min).max(max);
const modes = Object.fromEntries(RULE_NAMES.map((rule) => [rule, z.enum(RULE_MODES)])) as Record<
  RuleName,
  z.ZodEnum<Record<"off" | "warn" | "refuse", "off" | "warn" | "refuse">>
>;
const { sha256 } = rulesSchema.shape.signingCertificates.shape;

const schema = z.object({
  modes: z.object(modes),
  percent: number(0, MAX_GROWTH_PERCENT),
  days: number(1, MAX_PROFILE_DAYS),
  characters: number(1, MAX_NOTES_CHARACTERS),
  sha256: z
    .string()
    .transform((text) => text.split(/[\s,;]+/).filter(Boolean))
    .pipe(sha256),
});

/** The further field of a rule. */
const FIELDS = {
  growthPercent: { name: "percent", min: 0, max: MAX_GROWTH_PERCENT },
  profileDays: { name: "days", min: 1, max: MAX_PROFILE_DAYS },
  notesRequired: { name: "characters", min: 1, max: MAX_NOTES_CHARACTERS },
} as const;

/** Rules as the form shows them. */
function shownValues(rules: EnvironmentRules): z.input<typeof schema> {
  return {
    modes: Object.fromEntries(RULE_NAMES.map((rule) => [rule, rules[rule].mode])) as Record<RuleName, "off">,
    percent: String(rules.growthPercent.percent),
    days: String(rules.profileDays.days),
    characters: String(rules.notesRequired.characters),
    sha256: rules.signingCertificates.sha256.join("\n"),
  };
}

/** Chooses what builds must fulfil to be published in an environment. */
export function RulesForm({ rules }: { rules: EnvironmentRules }) {
  const t = useTranslations("rules");
  const router = useRouter();
  const update = useOperation("apps/update-environment-rules", { quiet: ["conflict"] });
  const { environmentId } = rules;
  const form = useZodForm(schema, { defaultValues: shownValues(rules) });
  useUnsavedInput(form.formState.isDirty);
  const chosen = useWatch({ control: form.control, name: "modes" });
  const options = RULE_MODES.map((mode) => ({ value: mode, label: t(`modes.${mode}`) }));

  const load = async () => {
    const stored = await query("apps/get-environment-rules", { environmentId });
    return { updatedAt: stored.updatedAt, values: shownValues(stored) };
  };
  const conflict = useEditConflict({
    form,
    updatedAt: rules.updatedAt,
    load,
    fields: [
      ...RULE_NAMES.map((rule) => ({
        name: `modes.${rule}` as const,
        label: t(`names.${rule}`),
        show: (value: unknown) => options.find((option) => option.value === value)?.label ?? "",
      })),
      ...Object.values(FIELDS).map(({ name }) => ({ name, label: t(name) })),
      { name: "sha256" as const, label: t("sha256") },
    ],
  });

  const submit = async (values: z.output<typeof schema>) => {
    const { modes: mode, percent, days, characters } = values;
    const changes = {
      newDangerousPermission: { mode: mode.newDangerousPermission },
      growthPercent: { mode: mode.growthPercent, percent },
      signingCertificates: { mode: mode.signingCertificates, sha256: values.sha256 },
      debuggable: { mode: mode.debuggable },
      minimumSdkRaised: { mode: mode.minimumSdkRaised },
      profileDays: { mode: mode.profileDays, days },
      versionMustRise: { mode: mode.versionMustRise },
      notesRequired: { mode: mode.notesRequired, characters },
      entitlementsChanged: { mode: mode.entitlementsChanged },
    };
    return conflict.save((ifUpdatedAt) => update.run({ environmentId, ifUpdatedAt, ...changes }));
  };
  const saved = (stored: EnvironmentRules, input: z.input<typeof schema>) => {
    notify.success(t("saved"));
    showStored(form, shownValues(stored), input);
    router.refresh();
  };

  return (
    <Form form={form} onSubmit={submit} onSuccess={saved}>
      <EditConflictNotice form={form} conflict={conflict} />
      <div className="grid gap-x-6 gap-y-4 lg:grid-cols-2">
        {RULE_NAMES.map((rule) => {
          const field = rule in FIELDS ? FIELDS[rule as keyof typeof FIELDS] : null;
          const isOn = chosen[rule] !== "off";
          // A hidden field must not keep input that prevents saving.
          const further = rule === "signingCertificates" ? "sha256" : field?.name;
          return (
            <div key={rule} className="flex min-w-0 flex-col gap-2">
              <SelectField
                control={form.control}
                name={`modes.${rule}`}
                label={t(`names.${rule}`)}
                options={options}
                onChanged={(mode) => mode === "off" && further && form.resetField(further)}
              />
              {isOn && field && (
                <FormField control={form.control} name={field.name} label={t(field.name)}>
                  {(input) => <Input {...input} type="number" inputMode="numeric" min={field.min} max={field.max} />}
                </FormField>
              )}
              {isOn && rule === "signingCertificates" && (
                <FormField control={form.control} name="sha256" label={t("sha256")} hint={t("sha256Hint")} optional>
                  {(input) => <Textarea {...input} rows={3} className="font-mono" spellCheck={false} />}
                </FormField>
              )}
            </div>
          );
        })}
      </div>
      <SubmitButton className="self-start max-lg:self-stretch">{t("save")}</SubmitButton>
    </Form>
  );
}
