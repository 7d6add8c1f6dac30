"use client";

import { useTranslations } from "next-intl";
import type { z } from "zod";
import { CODE_FIELD, KeyInput } from "@/components/common/configuration/key-input";
import { EditConflictNotice, useEditConflict } from "@/components/common/form/edit-conflict-notice";
import { FormField } from "@/components/common/form/form-field";
import { StatusField } from "@/components/common/form/status-field";
import { useStatusConflict } from "@/components/common/form/use-status-conflict";
import { useZodForm } from "@/components/common/form/use-zod-form";
import { FormDialog } from "@/components/common/form-dialog";
import type { DialogProps } from "@/components/common/use-dialog";
import { Input } from "@/components/ui/input";
import { Textarea } from "@/components/ui/textarea";
import { query } from "@/lib/client/client";
import { notify } from "@/lib/client/notify";
import { useOperation } from "@/lib/client/use-operation";
import type { VariableKind } from "@/lib/features/configuration/schema";
import { createVariableInput, type SecureVariable, updateVariableInput } from "@/lib/features/variables/schema";
import { VARIABLE_OPERATIONS } from "./variable-operations";

export type CreateVariableDialogProps = DialogProps & { kind: VariableKind; environmentId: string };

/** Adds a variable to an environment. */
export function CreateVariableDialog({ kind, environmentId, open, onOpenChange }: CreateVariableDialogProps) {
  const t = useTranslations("variables");
  const create = useOperation(VARIABLE_OPERATIONS[kind].create);
  const form = useZodForm(createVariableInput, {
    defaultValues: { environmentId, name: "", key: "", value: "", status: "active" },
  });

  return (
    <FormDialog
      open={open}
      onOpenChange={onOpenChange}
      title={t(`createTitle.${kind}`)}
      description={t(`createDescription.${kind}`)}
      form={form}
      onSubmit={create.run}
      successNotice={({ key }) => t("created", { key })}
      refreshes
      submitLabel={t("create")}
    >
      <FormField control={form.control} name="name" label={t("name")} hint={t("nameHint")}>
        {(field) => <Input {...field} autoComplete="off" />}
      </FormField>
      <FormField control={form.control} name="key" label={t("key")} hint={t("keyHint")}>
        {(field) => <KeyInput {...field} />}
      </FormField>
      <FormField control={form.control} name="value" label={t("value")}>
        {(field) => <Textarea {...field} {...CODE_FIELD} />}
      </FormField>
      <StatusField control={form.control} name="status" gender="feminine" hint={t("statusHint")} />
    </FormDialog>
  );
}

/** A variable as it is stored now; of a secure one without its value, which is not revealed for this. */
async function readStored(kind: VariableKind, { id, environmentId }: SecureVariable) {
  if (kind === "dev-variable") {
    const { updatedAt, name, key, value, status } = await query("apps/get-development-variable", { id });
    return { updatedAt, values: { name, key, value, status } };
  }
  // What was changed a moment ago is among the first.
  const { items } = await query("apps/get-secure-variables", { environmentId, sort: "-updatedAt", limit: 100 });
  const found = items.find((item) => item.id === id);
  if (!found) return null;
  const { updatedAt, name, key, status } = found;
  return { updatedAt, values: { name, key, value: undefined, status } };
}

export type UpdateVariableDialogProps = DialogProps & {
  kind: VariableKind;
  variable: SecureVariable;
  /** The value of a development variable. */
  value: string | undefined;
};

/** Changes a variable. The value of a secure one is replaced, or kept if the field stays empty. */
export function UpdateVariableDialog({ kind, variable, value, open, onOpenChange }: UpdateVariableDialogProps) {
  const t = useTranslations("variables");
  const update = useOperation(VARIABLE_OPERATIONS[kind].update, { quiet: ["conflict"] });
  const { id, name, key, status } = variable;
  const isSecure = kind === "secure-variable";
  const form = useZodForm(updateVariableInput, { defaultValues: { id, name, key, value, status } });

  const statusField = useStatusConflict("feminine");
  const conflict = useEditConflict({
    form,
    updatedAt: variable.updatedAt,
    load: () => readStored(kind, variable),
    fields: [
      { name: "name", label: t("name") },
      { name: "key", label: t("key") },
      { name: "value", label: t("value"), isSecret: isSecure },
      statusField,
    ],
  });

  const submit = async (values: z.output<typeof updateVariableInput>) => {
    const result = await conflict.save((ifUpdatedAt) => update.run({ ...values, ifUpdatedAt }));
    if (result.ok) notify.success(t("updated", { key: result.data.key }));
    return result;
  };

  return (
    <FormDialog
      open={open}
      onOpenChange={onOpenChange}
      title={t("update", { key })}
      form={form}
      onSubmit={submit}
      refreshes
      submitLabel={t("save")}
    >
      <EditConflictNotice form={form} conflict={conflict} />
      <FormField control={form.control} name="name" label={t("name")}>
        {(field) => <Input {...field} value={field.value ?? ""} autoComplete="off" />}
      </FormField>
      <FormField control={form.control} name="key" label={t("key")} hint={t("renameHint")}>
        {(field) => <KeyInput {...field} value={field.value ?? ""} />}
      </FormField>
      <FormField
        control={form.control}
        name="value"
        label={t(isSecure ? "newValue" : "value")}
        hint={isSecure && t("keepValue")}
        optional={isSecure}
      >
        {({ onChange, ...field }) => (
          <Textarea
            {...field}
            {...CODE_FIELD}
            value={field.value ?? ""}
            onChange={({ target }) => onChange(isSecure && target.value === "" ? undefined : target.value)}
          />
        )}
      </FormField>
      <StatusField control={form.control} name="status" gender="feminine" hint={t("statusHint")} />
    </FormDialog>
  );
}
