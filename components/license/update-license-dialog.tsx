"use client";

import { useTranslations } from "next-intl";
import type { z } from "zod";
import { FormField } from "@/components/common/form/form-field";
import { useZodForm } from "@/components/common/form/use-zod-form";
import { FormDialog } from "@/components/common/form-dialog";
import type { DialogProps } from "@/components/common/use-dialog";
import { Textarea } from "@/components/ui/textarea";
import { notify } from "@/lib/client/notify";
import { useOperation } from "@/lib/client/use-operation";
import { updateLicenseInput } from "@/lib/features/license/schema";

/** Takes the token of a new license. */
export function UpdateLicenseDialog({ isFirst, open, onOpenChange }: DialogProps & { isFirst: boolean }) {
  const t = useTranslations("license");
  const update = useOperation("external-services/update-license");
  const form = useZodForm(updateLicenseInput, { defaultValues: { token: "" } });

  const submit = async (values: z.output<typeof updateLicenseInput>) => {
    const result = await update.run(values);
    if (result.ok)
      notify.success(t(isFirst ? "added" : "updated"), { description: result.data.licenseName ?? undefined });
    return result;
  };

  return (
    <FormDialog
      open={open}
      onOpenChange={onOpenChange}
      title={t(isFirst ? "add" : "update")}
      description={t(isFirst ? "addDescription" : "updateDescription")}
      form={form}
      onSubmit={submit}
      refreshes
      submitLabel={t(isFirst ? "add" : "update")}
    >
      <FormField control={form.control} name="token" label={t("token")} hint={t("tokenHint")}>
        {(field) => (
          <Textarea
            {...field}
            rows={6}
            spellCheck={false}
            autoCapitalize="off"
            autoComplete="off"
            className="break-all font-mono"
          />
        )}
      </FormField>
    </FormDialog>
  );
}
