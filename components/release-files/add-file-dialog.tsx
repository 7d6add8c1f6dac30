"use client";

import type { InstallerKind } from "@slipway/installers";
import { useTranslations } from "next-intl";
import { z } from "zod";
import { FileDrop } from "@/components/common/file-drop";
import { FormField } from "@/components/common/form/form-field";
import { SelectField } from "@/components/common/form/select-field";
import { NOT_SUBMITTED } from "@/components/common/form/submit";
import { useZodForm } from "@/components/common/form/use-zod-form";
import { FormDialog } from "@/components/common/form-dialog";
import { UploadProgress } from "@/components/common/upload/upload-progress";
import type { DialogProps } from "@/components/common/use-dialog";
import { Button } from "@/components/ui/button";
import { useOperation, useProblemTexts } from "@/lib/client/use-operation";
import { RELEASE_FILE_KINDS, type ReleaseFileKind } from "@/lib/features/release-files/schema";
import { safeFileName } from "@/lib/kernel/file-name";
import { useAttachment } from "./use-attachment";

const schema = z.object({
  file: z.custom<File>((value) => value instanceof File, { error: "required", params: { code: "required" } }),
  kind: z.enum(RELEASE_FILE_KINDS),
});

/** Why symbols are refused takes several lines, which the form shows. */
const SHOWN_BY_FORM = ["invalid_symbols", "symbols_mismatch"];

/** What a file of a release probably is, by its name. */
function proposedKind(name: string, installer: InstallerKind): ReleaseFileKind {
  if (installer === "ipa") return /\.zip$/i.test(name) ? "dsym" : "other";
  return /mapping[^/]*\.txt$|\.map$/i.test(name) ? "mapping" : "other";
}

export type AddFileDialogProps = DialogProps & { release: { id: string; name: string; kind: InstallerKind } };

/** The form that uploads a further file and adds it to a release. */
export function AddFileDialog({ release, open, onOpenChange }: AddFileDialogProps) {
  const t = useTranslations("releaseFiles");
  const withTexts = useProblemTexts();
  const attachment = useAttachment();
  const create = useOperation("apps/create-release-file", { quiet: SHOWN_BY_FORM });
  const symbolKind: ReleaseFileKind = release.kind === "ipa" ? "dsym" : "mapping";
  const form = useZodForm(schema, { defaultValues: { file: undefined as unknown as File, kind: symbolKind } });
  const { control, setValue, setError, watch } = form;
  const file = watch("file") as File | undefined;

  const add = async ({ file: chosen, kind }: z.output<typeof schema>) => {
    const outcome = await attachment.upload(chosen);
    if (outcome === null) return NOT_SUBMITTED;
    if ("problem" in outcome) {
      if (outcome.problem !== "file_unreadable") return { ok: false as const, problem: withTexts(outcome.problem) };
      setError("file", { type: "server", message: t("unreadable") });
      return NOT_SUBMITTED;
    }
    const { fileId } = outcome;
    return create.run({ releaseId: release.id, fileId, kind, name: safeFileName(chosen.name) });
  };

  return (
    <FormDialog
      open={open}
      onOpenChange={onOpenChange}
      title={t("addTitle", { name: release.name })}
      description={t(release.kind === "ipa" ? "addIos" : "addAndroid")}
      form={form}
      onSubmit={add}
      successNotice={() => t("added")}
      refreshes
      submitLabel={t("add")}
    >
      <FormField control={control} name="file" label={t("file")}>
        {({ value: _value, onChange, onBlur: _onBlur, ref: _ref, name: _name, ...field }) => (
          <FileDrop
            {...field}
            acceptsName={() => true}
            file={file ?? null}
            disabled={attachment.snapshot !== null}
            onFile={(chosen) => {
              onChange(chosen);
              setValue("kind", proposedKind(chosen.name, release.kind));
            }}
            onReject={() => undefined}
          />
        )}
      </FormField>
      <SelectField
        control={control}
        name="kind"
        label={t("kindLabel")}
        disabled={attachment.snapshot !== null}
        options={([symbolKind, "other"] as const).map((kind) => ({ value: kind, label: t(`kind.${kind}`) }))}
      />
      {attachment.snapshot && file && (
        <div className="flex flex-col gap-2">
          <UploadProgress
            snapshot={attachment.snapshot}
            fileName={file.name}
            onPause={attachment.pause}
            onResume={attachment.resume}
          />
          <Button variant="secondary" size="sm" className="self-start" onClick={attachment.cancel}>
            {t("cancelUpload")}
          </Button>
        </div>
      )}
      {create.pending && file && (
        <p role="status" className="text-muted-foreground">
          {t("checking")}
        </p>
      )}
    </FormDialog>
  );
}
