"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import type { z } from "zod";
import { EntriesField } from "@/components/common/form/entries-field";
import { FormField } from "@/components/common/form/form-field";
import { StatusField } from "@/components/common/form/status-field";
import { useZodForm } from "@/components/common/form/use-zod-form";
import { FormDialog } from "@/components/common/form-dialog";
import type { DialogProps } from "@/components/common/use-dialog";
import { useUndo } from "@/components/common/use-undo";
import { Input } from "@/components/ui/input";
import { command } from "@/lib/client/client";
import { useOperation } from "@/lib/client/use-operation";
import { identifierSchema } from "@/lib/features/apps/schema";
import { createEnvironmentAppInput } from "@/lib/features/environments/schema";
import type { EnvironmentFields } from "./environment-actions";

export type EnvironmentDialogProps = DialogProps & {
  appId: string;
  /** The environment to change; if omitted, one is added. */
  environment?: EnvironmentFields;
};

/** Adds an environment to an application, or changes one. */
export function EnvironmentDialog({ appId, environment, open, onOpenChange }: EnvironmentDialogProps) {
  const t = useTranslations("environments");
  const validation = useTranslations("validation");
  const router = useRouter();
  const create = useOperation("apps/create-environment-app");
  const update = useOperation("apps/update-environment-app");
  const notifyUndoable = useUndo();
  const form = useZodForm(createEnvironmentAppInput, {
    defaultValues: {
      appId,
      name: environment?.name ?? "",
      status: environment?.status ?? "active",
      identifiers: environment?.identifiers ?? [],
    },
  });
  const { control } = form;

  const submit = async ({ name, status, identifiers }: z.output<typeof createEnvironmentAppInput>) => {
    const fields = { name, status, identifiers };
    const result = await (environment
      ? update.run({ id: environment.id, ...fields })
      : create.run({ appId, ...fields }));
    if (!result.ok) return result;
    const undo = ({ id, name, status, identifiers }: NonNullable<typeof environment>) =>
      command("apps/update-environment-app", { id, name, status, identifiers, expected: fields });
    const title = t(environment ? "updated" : "created", { name: result.data.name });
    notifyUndoable(title, environment && (() => undo(environment)));
    return result;
  };

  return (
    <FormDialog
      open={open}
      onOpenChange={onOpenChange}
      title={environment ? t("update", { name: environment.name }) : t("create")}
      description={environment ? undefined : t("createDescription")}
      form={form}
      onSubmit={submit}
      onSuccess={() => router.refresh()}
      submitLabel={t(environment ? "save" : "create")}
    >
      <FormField control={control} name="name" label={t("name")} hint={t("nameHint")}>
        {(field) => <Input {...field} autoComplete="off" maxLength={100} />}
      </FormField>
      <EntriesField
        control={control}
        name="identifiers"
        label={t("identifiers")}
        hint={t("identifiersHint")}
        optional
        accepts={(entry) => identifierSchema.safeParse(entry).success}
        refusal={validation("identifierForm")}
        removeLabel={(identifier) => t("removeIdentifier", { identifier })}
        placeholder="com.acme.app.staging"
      />
      <StatusField control={control} name="status" hint={t("statusHint")} />
    </FormDialog>
  );
}
