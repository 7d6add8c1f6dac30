"use client";

import { useTranslations } from "next-intl";
import { EditConflictNotice, useEditConflict } from "@/components/common/form/edit-conflict-notice";
import { FormField } from "@/components/common/form/form-field";
import { ImageField } from "@/components/common/form/image-field";
import { useZodForm } from "@/components/common/form/use-zod-form";
import { FormDialog } from "@/components/common/form-dialog";
import type { DialogProps } from "@/components/common/use-dialog";
import { Input } from "@/components/ui/input";
import { Textarea } from "@/components/ui/textarea";
import { query } from "@/lib/client/client";
import { useOperation } from "@/lib/client/use-operation";
import { type AppConfig, updateAppConfigInput } from "@/lib/features/config/schema";

export type AppInfoDialogProps = DialogProps & { config: AppConfig };

/** Changes the console's name, description and logo. */
export function AppInfoDialog({ config, open, onOpenChange }: AppInfoDialogProps) {
  const t = useTranslations("appConfig.info");
  const update = useOperation("config/update-app-config", { quiet: ["conflict"] });
  const { name, description } = config;
  const form = useZodForm(updateAppConfigInput, { defaultValues: { name, description, logoFileId: undefined } });
  const load = async () => {
    const { updatedAt, name, description } = await query("config/get-app-config", {});
    return { updatedAt, values: { name, description, logoFileId: undefined } };
  };
  const conflict = useEditConflict({
    form,
    updatedAt: config.updatedAt,
    load,
    fields: [
      { name: "name", label: t("name") },
      { name: "description", label: t("description") },
      { name: "logoFileId", label: t("logo"), isSecret: true },
    ],
  });

  return (
    <FormDialog
      open={open}
      onOpenChange={onOpenChange}
      title={t("edit")}
      form={form}
      onSubmit={(values) => conflict.save((ifUpdatedAt) => update.run({ ...values, ifUpdatedAt }))}
      successNotice={() => t("saved")}
      refreshes
      submitLabel={t("save")}
    >
      <EditConflictNotice form={form} conflict={conflict} />
      <ImageField control={form.control} name="logoFileId" label={t("logo")} currentUrl={config.logoUrl} optional />
      <FormField control={form.control} name="name" label={t("name")} hint={t("nameHint")}>
        {(field) => <Input {...field} autoComplete="off" maxLength={100} />}
      </FormField>
      <FormField
        control={form.control}
        name="description"
        label={t("description")}
        hint={t("descriptionHint")}
        optional
      >
        {(field) => <Textarea {...field} rows={3} maxLength={2_000} />}
      </FormField>
    </FormDialog>
  );
}
