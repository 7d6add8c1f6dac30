"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { z } from "zod";
import { EditConflictNotice, useEditConflict } from "@/components/common/form/edit-conflict-notice";
import { FormField } from "@/components/common/form/form-field";
import { NOT_SUBMITTED } from "@/components/common/form/submit";
import { useZodForm } from "@/components/common/form/use-zod-form";
import { FormDialog } from "@/components/common/form-dialog";
import type { DialogProps } from "@/components/common/use-dialog";
import { Input } from "@/components/ui/input";
import { query } from "@/lib/client/client";
import { notify } from "@/lib/client/notify";
import { useOperation } from "@/lib/client/use-operation";
import { nameSchema } from "@/lib/kernel/name-schema";
import { EnvironmentsField } from "./environments-field";

const schema = z.object({ name: nameSchema, environmentIds: z.array(z.string()).nullable() });

export type EditGroupDialogProps = DialogProps & {
  group: { id: string; name: string; environmentIds: readonly string[] | null; updatedAt: string };
  /** The environments of the application. */
  environments: readonly { id: string; name: string }[];
};

/** Changes the name of a group of testers, and the environments of whose releases it is told. */
export function EditGroupDialog({ group, environments, open, onOpenChange }: EditGroupDialogProps) {
  const t = useTranslations("testers");
  const common = useTranslations("common");
  const update = useOperation("testers/update-tester-group", { quiet: ["conflict"] });
  const [isIncomplete, setIncomplete] = useState(false);
  const { id } = group;
  const environmentIds = group.environmentIds === null ? null : [...group.environmentIds];
  const form = useZodForm(schema, { defaultValues: { name: group.name, environmentIds } });
  const load = async () => {
    const { updatedAt, name, environmentIds } = await query("testers/get-tester-group", { id });
    return { updatedAt, values: { name, environmentIds } };
  };
  const namesOf = (ids: unknown) =>
    Array.isArray(ids)
      ? environments.flatMap((environment) => (ids.includes(environment.id) ? environment.name : [])).join("\n")
      : t("allEnvironmentsOption");
  const conflict = useEditConflict({
    form,
    updatedAt: group.updatedAt,
    load,
    fields: [
      { name: "name", label: t("name") },
      { name: "environmentIds", label: t("environments"), show: namesOf },
    ],
  });
  const submit = async (values: z.output<typeof schema>) => {
    const isEmpty = values.environmentIds?.length === 0;
    setIncomplete(isEmpty);
    if (isEmpty) return NOT_SUBMITTED;
    const isChanged = JSON.stringify(values.environmentIds) !== JSON.stringify(environmentIds);
    const result = await conflict.save((ifUpdatedAt) =>
      update.run({
        id,
        ifUpdatedAt,
        name: values.name,
        ...(isChanged && { environmentIds: values.environmentIds }),
      }),
    );
    if (result.ok) notify.success(t("saved", { name: result.data.name }));
    return result;
  };
  return (
    <FormDialog
      open={open}
      onOpenChange={onOpenChange}
      title={t("edit")}
      description={t("editDescription")}
      form={form}
      onSubmit={submit}
      refreshes
      submitLabel={common("save")}
    >
      <EditConflictNotice form={form} conflict={conflict} />
      <FormField control={form.control} name="name" label={t("name")}>
        {(field) => <Input {...field} autoComplete="off" maxLength={100} />}
      </FormField>
      <EnvironmentsField
        environments={environments}
        value={form.watch("environmentIds")}
        onChange={(ids) => form.setValue("environmentIds", ids, { shouldDirty: true })}
        error={isIncomplete ? t("chooseEnvironment") : undefined}
      />
    </FormDialog>
  );
}
