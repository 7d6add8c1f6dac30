"use client";

import { useTranslations } from "next-intl";
import type { z } from "zod";
import { storedBefore } from "@/components/common/form/edit-conflict";
import { EditConflictNotice, useEditConflict } from "@/components/common/form/edit-conflict-notice";
import { FormField } from "@/components/common/form/form-field";
import { useZodForm } from "@/components/common/form/use-zod-form";
import { FormDialog } from "@/components/common/form-dialog";
import type { DialogProps } from "@/components/common/use-dialog";
import { useUndo } from "@/components/common/use-undo";
import { Input } from "@/components/ui/input";
import { command, query } from "@/lib/client/client";
import { useOperation } from "@/lib/client/use-operation";
import { createRoleInput, type Role, updateRoleInput } from "@/lib/features/roles/schema";

/** Adds a role. */
export function CreateRoleDialog({ open, onOpenChange }: DialogProps) {
  const t = useTranslations("roles");
  const create = useOperation("config/create-role");
  const form = useZodForm(createRoleInput, { defaultValues: { name: "" } });

  return (
    <FormDialog
      open={open}
      onOpenChange={onOpenChange}
      title={t("create")}
      description={t("createDescription")}
      form={form}
      onSubmit={create.run}
      successNotice={({ name }) => t("created", { name })}
      refreshes
      submitLabel={t("create")}
    >
      <FormField control={form.control} name="name" label={t("name")} hint={t("nameHint")}>
        {(field) => <Input {...field} autoComplete="off" maxLength={100} />}
      </FormField>
    </FormDialog>
  );
}

/** Renames a role. */
export function UpdateRoleDialog({ role, open, onOpenChange }: DialogProps & { role: Role }) {
  const t = useTranslations("roles");
  const update = useOperation("config/update-role", { quiet: ["conflict"] });
  const notifyUndoable = useUndo();
  const form = useZodForm(updateRoleInput, { defaultValues: { id: role.id, name: role.name } });

  const load = async () => {
    const { updatedAt, name } = await query("config/get-role", { id: role.id });
    return { updatedAt, values: { name } };
  };
  const conflict = useEditConflict({
    form,
    updatedAt: role.updatedAt,
    load,
    fields: [{ name: "name", label: t("name") }],
  });

  const submit = async (values: z.output<typeof updateRoleInput>) => {
    const result = await conflict.save((ifUpdatedAt) => update.run({ ...values, ifUpdatedAt }));
    if (!result.ok) return result;
    const { name } = storedBefore(form);
    const undo = () => command("config/update-role", { id: role.id, name, expected: { name: result.data.name } });
    notifyUndoable(t("updated", { name: result.data.name }), undo);
    return result;
  };

  return (
    <FormDialog
      open={open}
      onOpenChange={onOpenChange}
      title={t("update", { name: role.name })}
      form={form}
      onSubmit={submit}
      refreshes
      submitLabel={t("save")}
    >
      <EditConflictNotice form={form} conflict={conflict} />
      <FormField control={form.control} name="name" label={t("name")}>
        {(field) => <Input {...field} autoComplete="off" maxLength={100} />}
      </FormField>
    </FormDialog>
  );
}
