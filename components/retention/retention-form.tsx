"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { useRef, useState } from "react";
import { useWatch } from "react-hook-form";
import { z } from "zod";
import { ConfirmDialog } from "@/components/common/confirm-dialog";
import { EditConflictNotice, useEditConflict } from "@/components/common/form/edit-conflict-notice";
import { Form } from "@/components/common/form/form";
import { FormField } from "@/components/common/form/form-field";
import { showStored } from "@/components/common/form/show-stored";
import { NOT_SUBMITTED } from "@/components/common/form/submit";
import { SubmitButton } from "@/components/common/form/submit-button";
import { SwitchField } from "@/components/common/form/switch-field";
import { useZodForm } from "@/components/common/form/use-zod-form";
import { useUnsavedInput } from "@/components/common/unsaved-input";
import { Input } from "@/components/ui/input";
import { query } from "@/lib/client/client";
import { notify } from "@/lib/client/notify";
import { useOperation } from "@/lib/client/use-operation";
import { MAX_KEEP_DAYS, MAX_KEEP_NEWEST, type Retention } from "@/lib/features/retention/schema";
import { RetentionPreviewPanel } from "./retention-preview";
import { useRetentionPreview } from "./use-retention-preview";

/** A number of a rule as its input has it; empty without one. */
const numberText = (max: number) =>
  z
    .string()
    .trim()
    .transform((text) => (text === "" ? null : Number(text)))
    .pipe(z.number().int().min(1).max(max).nullable());

const schema = z.object({
  keepNewest: numberText(MAX_KEEP_NEWEST),
  keepDays: numberText(MAX_KEEP_DAYS),
  keepWithShareLink: z.boolean(),
});

const numberOf = (text: string, max: number) => numberText(max).safeParse(text).data ?? null;

/** A rule as the form shows it. */
function shownValues({ keepNewest, keepDays, keepWithShareLink }: Retention): z.input<typeof schema> {
  return { keepNewest: keepNewest?.toString() ?? "", keepDays: keepDays?.toString() ?? "", keepWithShareLink };
}

/** Chooses which releases of an environment stay, and shows what would go. */
export function RetentionForm({ retention }: { retention: Retention }) {
  const t = useTranslations("retention");
  const router = useRouter();
  const update = useOperation("retention/update-retention", { quiet: ["conflict"] });
  const { environmentId } = retention;
  const form = useZodForm(schema, { defaultValues: shownValues(retention) });
  useUnsavedInput(form.formState.isDirty);
  const values = useWatch({ control: form.control });
  const preview = useRetentionPreview(environmentId, {
    keepNewest: numberOf(values.keepNewest ?? "", MAX_KEEP_NEWEST),
    keepDays: numberOf(values.keepDays ?? "", MAX_KEEP_DAYS),
    keepWithShareLink: values.keepWithShareLink ?? true,
  });
  const [deletesAll, setDeletesAll] = useState<number | null>(null);
  const submitted = useRef<{ rule: z.output<typeof schema>; input: z.input<typeof schema> } | null>(null);

  const load = async () => {
    const stored = await query("retention/get-retention", { environmentId });
    return { updatedAt: stored.updatedAt, values: shownValues(stored) };
  };
  const conflict = useEditConflict({
    form,
    updatedAt: retention.updatedAt,
    load,
    fields: [
      { name: "keepNewest", label: t("keepNewest") },
      { name: "keepDays", label: t("keepDays") },
      { name: "keepWithShareLink", label: t("keepWithShareLink") },
    ],
  });

  const saved = (stored: Retention, input: z.input<typeof schema>) => {
    notify.success(t("saved"));
    showStored(form, shownValues(stored), input);
    router.refresh();
  };
  const submit = async (rule: z.output<typeof schema>, input: z.input<typeof schema>) => {
    submitted.current = { rule, input };
    if (preview !== null && preview !== "failed" && preview.deletesAll) {
      setDeletesAll(preview.total);
      return;
    }
    const result = await conflict.save((ifUpdatedAt) => update.run({ environmentId, ifUpdatedAt, ...rule }));
    if (result.ok) saved(result.data, input);
    return result;
  };
  const confirm = async () => {
    if (!submitted.current) return;
    const { rule, input } = submitted.current;
    const result = await conflict.save((ifUpdatedAt) =>
      update.run({ environmentId, ifUpdatedAt, ...rule, confirmReleases: deletesAll as number }),
    );
    if (result.ok) saved(result.data, input);
    // The form shows what someone else stored.
    return result === NOT_SUBMITTED ? undefined : result;
  };

  return (
    <>
      <Form form={form} onSubmit={submit}>
        <EditConflictNotice form={form} conflict={conflict} />
        <div className="grid gap-4 sm:grid-cols-2">
          <FormField
            control={form.control}
            name="keepNewest"
            label={t("keepNewest")}
            hint={t("keepNewestHint")}
            optional
          >
            {(field) => <Input {...field} type="number" inputMode="numeric" min={1} max={MAX_KEEP_NEWEST} />}
          </FormField>
          <FormField control={form.control} name="keepDays" label={t("keepDays")} hint={t("keepDaysHint")} optional>
            {(field) => <Input {...field} type="number" inputMode="numeric" min={1} max={MAX_KEEP_DAYS} />}
          </FormField>
        </div>
        <SwitchField
          control={form.control}
          name="keepWithShareLink"
          label={t("keepWithShareLink")}
          hint={t("keepWithShareLinkHint")}
        />
        <RetentionPreviewPanel preview={preview} />
        <p className="text-pretty text-muted-foreground text-xs leading-4.5">{t("always")}</p>
        <SubmitButton className="self-start max-lg:self-stretch">{t("save")}</SubmitButton>
      </Form>
      <ConfirmDialog
        open={deletesAll !== null}
        onOpenChange={(open) => open || setDeletesAll(null)}
        title={t("confirm.title")}
        description={t("confirm.description", { count: deletesAll ?? 0 })}
        confirmLabel={t("confirm.submit")}
        typeToConfirm={String(deletesAll ?? 0)}
        onConfirm={confirm}
      />
    </>
  );
}
