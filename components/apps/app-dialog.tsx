"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import type { z } from "zod";
import { storedBefore } from "@/components/common/form/edit-conflict";
import { EditConflictNotice, useEditConflict } from "@/components/common/form/edit-conflict-notice";
import { FormField } from "@/components/common/form/form-field";
import { ImageField } from "@/components/common/form/image-field";
import { StatusField } from "@/components/common/form/status-field";
import { useStatusConflict } from "@/components/common/form/use-status-conflict";
import { useZodForm } from "@/components/common/form/use-zod-form";
import { FormDialog } from "@/components/common/form-dialog";
import { useNavigate } from "@/components/common/pending/navigation";
import type { DialogProps } from "@/components/common/use-dialog";
import { useUndo } from "@/components/common/use-undo";
import { Input } from "@/components/ui/input";
import { Textarea } from "@/components/ui/textarea";
import { command, query } from "@/lib/client/client";
import { useOperation } from "@/lib/client/use-operation";
import { type App, createAppInput } from "@/lib/features/apps/schema";
import { appPath } from "@/lib/kernel/navigation/pages";
import { AppIdentifierField } from "./app-identifier-field";

export type AppDialogProps = DialogProps & {
  /** The application to change; if omitted, one is added. */
  app?: App;
  /** Stays on the page after adding one. */
  stay?: boolean;
};

/** Adds an application and opens its page for the next step, or changes an application. */
export function AppDialog({ app, stay = false, open, onOpenChange }: AppDialogProps) {
  const t = useTranslations("apps");
  const router = useRouter();
  const navigate = useNavigate();
  const create = useOperation("apps/create-app");
  const update = useOperation("apps/update-app", { quiet: ["conflict"] });
  const notifyUndoable = useUndo();
  const form = useZodForm(createAppInput, {
    defaultValues: {
      name: app?.name ?? "",
      identifier: app?.identifier ?? "",
      description: app?.description ?? "",
      logoFileId: undefined,
      status: app?.status ?? "active",
    },
  });
  const { control } = form;

  const load = async () => {
    if (!app) return null;
    const { updatedAt, name, identifier, description, status } = await query("apps/get-app", { id: app.id });
    return { updatedAt, values: { name, identifier, description, status, logoFileId: undefined } };
  };
  const status = useStatusConflict("feminine");
  const conflict = useEditConflict({
    form,
    updatedAt: app?.updatedAt,
    load,
    fields: [
      { name: "name", label: t("name") },
      { name: "identifier", label: t("identifier") },
      { name: "description", label: t("descriptionField") },
      { name: "logoFileId", label: t("logo"), isSecret: true },
      status,
    ],
  });

  const submit = async (values: z.output<typeof createAppInput>) => {
    const result = await conflict.save((ifUpdatedAt) =>
      app ? update.run({ id: app.id, ifUpdatedAt, ...values }) : create.run(values),
    );
    if (!result.ok) return result;
    const { id, name } = result.data;
    const { logoFileId: _logo, ...before } = storedBefore(form);
    const undo = () => {
      const { identifier, description, status } = result.data;
      return command("apps/update-app", { id, ...before, expected: { name, identifier, description, status } });
    };
    // A logo that was replaced is gone.
    notifyUndoable(t(app ? "updated" : "created", { name }), app && !values.logoFileId ? undo : undefined);
    if (app || stay) router.refresh();
    else navigate(appPath(id, true));
    return result;
  };

  return (
    <FormDialog
      open={open}
      onOpenChange={onOpenChange}
      title={app ? t("update", { name: app.name }) : t("create")}
      description={app ? undefined : t("createDescription")}
      form={form}
      onSubmit={submit}
      submitLabel={t(app ? "save" : "create")}
    >
      <EditConflictNotice form={form} conflict={conflict} />
      <FormField control={control} name="name" label={t("name")}>
        {(field) => <Input {...field} autoComplete="off" maxLength={100} />}
      </FormField>
      <AppIdentifierField form={form} />
      <FormField control={control} name="description" label={t("descriptionField")} optional>
        {(field) => (
          <Textarea
            {...field}
            value={field.value ?? ""}
            placeholder={t("descriptionPlaceholder")}
            rows={2}
            maxLength={2_000}
          />
        )}
      </FormField>
      <ImageField control={control} name="logoFileId" label={t("logo")} currentUrl={app?.logoUrl} optional />
      <StatusField control={control} name="status" gender="feminine" hint={t("statusHint")} />
    </FormDialog>
  );
}
