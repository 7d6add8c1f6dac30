"use client";

import { useTranslations } from "next-intl";
import type { z } from "zod";
import { storedBefore } from "@/components/common/form/edit-conflict";
import { EditConflictNotice, useEditConflict } from "@/components/common/form/edit-conflict-notice";
import { FormField } from "@/components/common/form/form-field";
import { ImageField } from "@/components/common/form/image-field";
import { SelectField } from "@/components/common/form/select-field";
import { StatusField } from "@/components/common/form/status-field";
import { useStatusConflict } from "@/components/common/form/use-status-conflict";
import { useZodForm } from "@/components/common/form/use-zod-form";
import { FormDialog } from "@/components/common/form-dialog";
import type { DialogProps } from "@/components/common/use-dialog";
import { useUndo } from "@/components/common/use-undo";
import { Input } from "@/components/ui/input";
import { command, query } from "@/lib/client/client";
import { useOperation } from "@/lib/client/use-operation";
import {
  createPlatformInput,
  type Platform,
  platformKindSchema,
  updatePlatformInput,
} from "@/lib/features/platforms/schema";

/** Adds a platform. */
export function CreatePlatformDialog({ open, onOpenChange }: DialogProps) {
  const t = useTranslations("platforms");
  const create = useOperation("config/create-platform");
  const kinds = useKindOptions();
  const form = useZodForm(createPlatformInput, {
    defaultValues: { name: "", kind: "other", logoFileId: undefined, status: "active" },
  });

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
      <ImageField control={form.control} name="logoFileId" label={t("logo")} />
      <FormField control={form.control} name="name" label={t("name")}>
        {(field) => <Input {...field} autoComplete="off" />}
      </FormField>
      <SelectField control={form.control} name="kind" label={t("kind")} hint={t("kindHint")} options={kinds} />
      <StatusField control={form.control} name="status" gender="feminine" hint={t("statusHint")} />
    </FormDialog>
  );
}

/** Changes a platform. */
export function UpdatePlatformDialog({ platform, open, onOpenChange }: DialogProps & { platform: Platform }) {
  const t = useTranslations("platforms");
  const update = useOperation("config/update-platform", { quiet: ["conflict"] });
  const notifyUndoable = useUndo();
  const kinds = useKindOptions();
  const { id, name, kind, status } = platform;
  const form = useZodForm(updatePlatformInput, { defaultValues: { id, name, kind, status, logoFileId: undefined } });

  const load = async () => {
    const { updatedAt, ...stored } = await query("config/get-platform-by-id", { id });
    const { name, kind, status } = stored;
    return { updatedAt, values: { name, kind, status, logoFileId: undefined } };
  };
  const statusField = useStatusConflict("feminine");
  const conflict = useEditConflict({
    form,
    updatedAt: platform.updatedAt,
    load,
    fields: [
      { name: "logoFileId", label: t("logo"), isSecret: true },
      { name: "name", label: t("name") },
      {
        name: "kind",
        label: t("kind"),
        show: (value) => kinds.find((kind) => kind.value === value)?.label ?? "",
      },
      statusField,
    ],
  });

  const submit = async (values: z.output<typeof updatePlatformInput>) => {
    const result = await conflict.save((ifUpdatedAt) => update.run({ ...values, ifUpdatedAt }));
    if (!result.ok) return result;
    const expected = { name: result.data.name, kind: result.data.kind, status: result.data.status };
    const { logoFileId: _logo, ...before } = storedBefore(form);
    const undo = () => command("config/update-platform", { ...before, id, expected });
    // A logo that was replaced is gone.
    notifyUndoable(t("updated", { name: result.data.name }), values.logoFileId ? undefined : undo);
    return result;
  };

  return (
    <FormDialog
      open={open}
      onOpenChange={onOpenChange}
      title={t("update", { name })}
      form={form}
      onSubmit={submit}
      refreshes
      submitLabel={t("save")}
    >
      <EditConflictNotice form={form} conflict={conflict} />
      <ImageField control={form.control} name="logoFileId" label={t("logo")} currentUrl={platform.logoUrl} />
      <FormField control={form.control} name="name" label={t("name")}>
        {(field) => <Input {...field} value={field.value ?? ""} autoComplete="off" />}
      </FormField>
      <SelectField control={form.control} name="kind" label={t("kind")} hint={t("kindHint")} options={kinds} />
      <StatusField control={form.control} name="status" gender="feminine" hint={t("statusHint")} />
    </FormDialog>
  );
}

function useKindOptions() {
  const t = useTranslations("platforms.kinds");
  return platformKindSchema.options.map((kind) => ({ value: kind, label: t(kind) }));
}
