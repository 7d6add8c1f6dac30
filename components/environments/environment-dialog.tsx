"use client";

import { useTranslations } from "next-intl";
import { FormDialog } from "@/components/common/form-dialog";
import type { DialogProps } from "@/components/common/use-dialog";
import type { EnvironmentFields } from "./environment-actions";
import { EnvironmentInputs, useEnvironmentForm } from "./environment-inputs";

export type EnvironmentDialogProps = DialogProps & {
  appId: string;
  /** The environment to change; if omitted, one is added. */
  environment?: EnvironmentFields;
};

/** Adds an environment to an application, or changes one. */
export function EnvironmentDialog({ appId, environment, open, onOpenChange }: EnvironmentDialogProps) {
  const t = useTranslations("environments");
  const { form, conflict, submit } = useEnvironmentForm(appId, environment);
  return (
    <FormDialog
      open={open}
      onOpenChange={onOpenChange}
      title={environment ? t("update", { name: environment.name }) : t("create")}
      description={environment ? undefined : t("createDescription")}
      form={form}
      onSubmit={submit}
      refreshes
      submitLabel={t(environment ? "save" : "create")}
    >
      <EnvironmentInputs form={form} conflict={conflict} />
    </FormDialog>
  );
}
