"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { z } from "zod";
import { FormField } from "@/components/common/form/form-field";
import { useZodForm } from "@/components/common/form/use-zod-form";
import { FormDialog } from "@/components/common/form-dialog";
import { releaseName } from "@/components/common/release-name";
import type { DialogProps } from "@/components/common/use-dialog";
import { Input } from "@/components/ui/input";
import { notify } from "@/lib/client/notify";
import { useOperation } from "@/lib/client/use-operation";
import { releaseFileNameSchema, updateTestingDeployInput } from "@/lib/features/releases/schema";
import { MetadataField } from "./metadata-field";
import { metadataRows, metadataRowsSchema } from "./metadata-rows";
import { NotesField } from "./notes-field";
import type { ReleaseSummary } from "./release-summary";
import { SwitchField } from "./switch-field";

const schema = z.object({
  description: updateTestingDeployInput.shape.description.unwrap(),
  fileName: releaseFileNameSchema,
  iosEnabled: z.boolean(),
  mandatory: z.boolean(),
  metadata: metadataRowsSchema,
});

export type EditReleaseDialogProps = DialogProps & {
  release: ReleaseSummary;
};

/** Changes the editable fields of a release. */
export function EditReleaseDialog({ release, open, onOpenChange }: EditReleaseDialogProps) {
  const t = useTranslations("releases");
  const router = useRouter();
  const update = useOperation("apps/update-testing-deploy");
  const { description, fileName, iosEnabled, mandatory, metadata } = release.editable;
  const name = releaseName(release);
  const form = useZodForm(schema, {
    defaultValues: { description, fileName, iosEnabled, mandatory, metadata: metadataRows(metadata) },
  });

  const submit = async (values: z.output<typeof schema>) => {
    // A name that was not changed may be the file's own. It is omitted from the request, which keeps it.
    const changedName = values.fileName === fileName ? undefined : values.fileName || null;
    const result = await update.run({ id: release.id, ...values, fileName: changedName });
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
      onSuccess={() => router.refresh()}
      submitLabel={t("edit.save")}
    >
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
