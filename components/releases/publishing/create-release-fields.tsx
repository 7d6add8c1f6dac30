"use client";

import type { Installer } from "@slipway/installers";
import { ChevronRight } from "lucide-react";
import { useTranslations } from "next-intl";
import { useCallback, useEffect, useId, useState } from "react";
import type { UseFormReturn } from "react-hook-form";
import type { z } from "zod";
import { FormField } from "@/components/common/form/form-field";
import { SelectField } from "@/components/common/form/select-field";
import { SwitchField } from "@/components/common/form/switch-field";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { GroupsField } from "./groups-field";
import { MetadataField } from "./metadata-field";
import { NotesField } from "./notes-field";
import { notifyHint } from "./notify-hint";
import type { ReleaseValues, releaseValuesSchema } from "./release-values";
import type { ReleasePlace } from "./use-publishing";

export type CreateReleaseFieldsProps = {
  form: UseFormReturn<ReleaseValues, unknown, z.output<typeof releaseValuesSchema>>;
  installer: Installer;
  platforms: ReleasePlace["platforms"];
  fileName: string;
  disabled: boolean;
};

/** The fields of a new release: those read from its installer, the description and the optional ones. */
export function CreateReleaseFields({ form, installer, platforms, fileName, disabled }: CreateReleaseFieldsProps) {
  const t = useTranslations("releases.fields");
  const upload = useTranslations("upload");
  const tell = useTranslations("testers.tell");
  const chooseGroups = useCallback((ids: string[]) => form.setValue("groups", ids, { shouldDirty: true }), [form]);
  const advancedId = useId();
  const [advanced, setAdvanced] = useState(false);
  const { errors } = form.formState;
  const hiddenError = Boolean(errors.fileName || errors.platformId || errors.metadata);

  useEffect(() => {
    if (hiddenError) setAdvanced(true);
  }, [hiddenError]);

  return (
    <fieldset disabled={disabled} className="flex min-w-0 flex-col gap-4">
      <div className="grid grid-cols-2 gap-4">
        <Field label={t("version")} hint={upload("readFromFile")}>
          <Input readOnly value={installer.version} className="font-mono" />
        </Field>
        <Field label={t("buildNumber")} hint={upload("readFromFile")}>
          <Input readOnly value={installer.buildNumber} className="font-mono" />
        </Field>
      </div>
      <NotesField control={form.control} name="description" />
      <GroupsField
        control={form.control}
        environmentId={form.watch("environmentId")}
        chosen={form.watch("groups")}
        onChange={chooseGroups}
        error={errors.groups?.message}
        onNoMail={() => form.setValue("notify", false)}
        notify={(mail) => (
          <SwitchField
            control={form.control}
            name="notify"
            label={tell("notify")}
            hint={tell(notifyHint(mail, form.watch("notify")))}
          />
        )}
      />
      <div className="flex flex-col gap-4">
        <button
          type="button"
          aria-expanded={advanced}
          aria-controls={advancedId}
          onClick={() => setAdvanced(!advanced)}
          className="group flex min-h-9 w-fit items-center gap-1 rounded-md font-medium text-muted-foreground hover:text-foreground lg:min-h-7"
        >
          <ChevronRight aria-hidden className="size-4 transition-transform group-aria-expanded:rotate-90" />
          {upload("advanced")}
        </button>
        <div id={advancedId} hidden={!advanced} className="flex flex-col gap-4">
          <FormField control={form.control} name="fileName" label={t("fileName")} hint={t("fileNameHint")} optional>
            {(field) => <Input {...field} placeholder={fileName} autoComplete="off" spellCheck={false} />}
          </FormField>
          <SelectField
            control={form.control}
            name="platformId"
            label={t("platform")}
            options={platforms.map(({ id, name }) => ({ value: id, label: name }))}
            disabled={disabled}
          />
          {installer.kind === "ipa" && (
            <SwitchField control={form.control} name="iosEnabled" label={t("iosEnabled")} hint={t("iosEnabledHint")} />
          )}
          <SwitchField control={form.control} name="mandatory" label={t("mandatory")} hint={t("mandatoryHint")} />
          <MetadataField control={form.control} />
        </div>
      </div>
    </fieldset>
  );
}
