"use client";

import { useTranslations } from "next-intl";
import { z } from "zod";
import { EditConflictNotice, useEditConflict } from "@/components/common/form/edit-conflict-notice";
import { FormField } from "@/components/common/form/form-field";
import { SwitchField } from "@/components/common/form/switch-field";
import { useZodForm } from "@/components/common/form/use-zod-form";
import { FormDialog } from "@/components/common/form-dialog";
import { releaseName } from "@/components/common/releases/release-name";
import type { DialogProps } from "@/components/common/use-dialog";
import { Input } from "@/components/ui/input";
import { query } from "@/lib/client/client";
import { notify } from "@/lib/client/notify";
import { useOperation } from "@/lib/client/use-operation";
import { releaseFileNameSchema, updateTestingDeployInput } from "@/lib/features/releases/schema";
import { type ReleaseSummary, releaseSummary } from "../release-summary";
import { MetadataField } from "./metadata-field";
import { metadataRows, metadataRowsSchema } from "./metadata-rows";
import { NotesField } from "./notes-field";

const schema = z.object({
  description: updateTestingDeployInput.shape.description.unwrap(),
  fileName: releaseFileNameSchema,
  iosEnabled: z.boolean(),
  mandatory: z.boolean(),
  metadata: metadataRowsSchema,
});

/** Rows of metadata as text. */
function inLines(rows: unknown): string {
  return metadataRowsSchema.safeParse(rows).success
    ? (rows as { key: string; value: string }[]).map(({ key, value }) => `${key}: ${value}`).join("\n")
    : "";
}

export type EditReleaseDialogProps = DialogProps & {
  release: ReleaseSummary;
};

/** Changes the editable fields of a release. */
export function EditReleaseDialog({ release, open, onOpenChange }: EditReleaseDialogProps) {
  const t = useTranslations("releases");
  const update = useOperation("apps/update-testing-deploy", { quiet: ["conflict"] });
  const { description, fileName, iosEnabled, mandatory, metadata } = release.editable;
  const name = releaseName(release);
  const form = useZodForm(schema, {
    defaultValues: { description, fileName, iosEnabled, mandatory, metadata: metadataRows(metadata) },
  });

  const load = async () => {
    const { editable, updatedAt } = releaseSummary(await query("apps/get-testing-deploy-by-id", { id: release.id }));
    return { updatedAt, values: { ...editable, metadata: metadataRows(editable.metadata) } };
  };
  const conflict = useEditConflict({
    form,
    updatedAt: release.updatedAt,
    load,
    fields: [
      { name: "description", label: t("fields.description") },
      { name: "fileName", label: t("fields.fileName") },
      { name: "iosEnabled", label: t("fields.iosEnabled") },
      { name: "mandatory", label: t("fields.mandatory") },
      { name: "metadata", label: t("metadata.title"), show: inLines },
    ],
  });

  const submit = async (values: z.output<typeof schema>) => {
    // A name that was not changed may be the file's own. It is omitted from the request, which keeps it.
    const changedName = values.fileName === fileName ? undefined : values.fileName || null;
    const result = await conflict.save((ifUpdatedAt) =>
      update.run({ id: release.id, ifUpdatedAt, ...values, fileName: changedName }),
    );
    if (result.ok) notify.success(t("edit.done", { name }));
    return result;
  };

  return (
    <FormDialog
      open={open}
      onOpenChange={onOpenChange}
      title={t("edit.title", { name })}
      description={t("edit.description")}
      form={form}
      onSubmit={submit}
      refreshes
      submitLabel={t("edit.save")}
    >
      <EditConflictNotice form={form} conflict={conflict} />
      <NotesField control={form.control} name="description" />
      <FormField
        control={form.control}
        name="fileName"
        label={t("fields.fileName")}
        hint={t("fields.fileNameHint")}
        optional
      >
        {(field) => <Input {...field} autoComplete="off" spellCheck={false} />}
      </FormField>
      {release.facts.kind === "ipa" && (
        <SwitchField
          control={form.control}
          name="iosEnabled"
          label={t("fields.iosEnabled")}
          hint={t("fields.iosEnabledHint")}
        />
      )}
      <SwitchField
        control={form.control}
        name="mandatory"
        label={t("fields.mandatory")}
        hint={t("fields.mandatoryHint")}
      />
      <MetadataField control={form.control} />
    </FormDialog>
  );
}
