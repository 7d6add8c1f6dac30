"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import type { z } from "zod";
import { FormField } from "@/components/common/form/form-field";
import { ImageField } from "@/components/common/form/image-field";
import { StatusField } from "@/components/common/form/status-field";
import { useZodForm } from "@/components/common/form/use-zod-form";
import { FormDialog } from "@/components/common/form-dialog";
import { useNavigate } from "@/components/common/pending/navigation";
import type { DialogProps } from "@/components/common/use-dialog";
import { useUndo } from "@/components/common/use-undo";
import { Input } from "@/components/ui/input";
import { Textarea } from "@/components/ui/textarea";
import { command } from "@/lib/client/client";
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
  const update = useOperation("apps/update-app");
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

  const submit = async (values: z.output<typeof createAppInput>) => {
    const result = await (app ? update.run({ id: app.id, ...values }) : create.run(values));
    if (!result.ok) return result;
    const { id, name } = result.data;
    const undo = (before: NonNullable<typeof app>) => {
      const { identifier, description, status } = result.data;
      const previous = { name: before.name, identifier: before.identifier, description: before.description };
      const expected = { name, identifier, description, status };
      return command("apps/update-app", { id, ...previous, status: before.status, expected });
    };
    // A logo that was replaced is gone.
    notifyUndoable(t(app ? "updated" : "created", { name }), app && !values.logoFileId ? () => undo(app) : undefined);
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
