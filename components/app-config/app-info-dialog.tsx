"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import type { z } from "zod";
import { FormField } from "@/components/common/form/form-field";
import { ImageField } from "@/components/common/form/image-field";
import { useZodForm } from "@/components/common/form/use-zod-form";
import { FormDialog } from "@/components/common/form-dialog";
import type { DialogProps } from "@/components/common/use-dialog";
import { Input } from "@/components/ui/input";
import { Textarea } from "@/components/ui/textarea";
import { notify } from "@/lib/client/notify";
import { useOperation } from "@/lib/client/use-operation";
import { type AppConfig, updateAppConfigInput } from "@/lib/features/config/schema";

export type AppInfoDialogProps = DialogProps & { config: AppConfig };

/** Changes the console's name, description and logo. */
export function AppInfoDialog({ config, open, onOpenChange }: AppInfoDialogProps) {
  const t = useTranslations("appConfig.info");
  const router = useRouter();
  const update = useOperation("config/update-app-config");
  const { name, description } = config;
  const form = useZodForm(updateAppConfigInput, { defaultValues: { name, description, logoFileId: undefined } });

  const submit = async (values: z.output<typeof updateAppConfigInput>) => {
    const result = await update.run(values);
    if (result.ok) notify.success(t("saved"));
    return result;
  };

  return (
    <FormDialog
      open={open}
      onOpenChange={onOpenChange}
      title={t("edit")}
      form={form}
      onSubmit={submit}
      onSuccess={() => router.refresh()}
      submitLabel={t("save")}
    >
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
