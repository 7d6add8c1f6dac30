"use client";

import { useTranslations } from "next-intl";
import { useWatch } from "react-hook-form";
import { z } from "zod";
import { useEditConflict } from "@/components/common/form/edit-conflict-notice";
import { FormField } from "@/components/common/form/form-field";
import { showStored } from "@/components/common/form/show-stored";
import { useZodForm } from "@/components/common/form/use-zod-form";
import { useUnsavedInput } from "@/components/common/unsaved-input";
import { Input } from "@/components/ui/input";
import { query } from "@/lib/client/client";
import { notify } from "@/lib/client/notify";
import { useOperation } from "@/lib/client/use-operation";
import type { SecureCertificate } from "@/lib/features/certificates/schema";
import type { AppStoreKey } from "@/lib/features/devices/schema";
import { FileField, NO_FILE } from "./file-field";
import { KeyForm } from "./key-form";

const schema = z
  .object({ certificateId: z.string(), keyId: z.string().trim(), issuerId: z.string().trim() })
  .superRefine(({ certificateId, ...ids }, context) => {
    if (certificateId === NO_FILE) return;
    for (const [name, id] of Object.entries(ids)) {
      if (id === "") context.addIssue({ code: "custom", path: [name], message: "required" });
    }
  });

export type AppStoreFormProps = { appStoreKey: AppStoreKey; files: readonly SecureCertificate[]; canWrite: boolean };

/** A key as the form shows it. */
function shownValues({ certificate, keyId, issuerId }: AppStoreKey): z.input<typeof schema> {
  return { certificateId: certificate?.id ?? NO_FILE, keyId: keyId ?? "", issuerId: issuerId ?? "" };
}

/** Chooses the key of App Store Connect by which an environment registers devices with Apple. */
export function AppStoreForm({ appStoreKey, files, canWrite }: AppStoreFormProps) {
  const t = useTranslations("appStoreKey");
  const update = useOperation("devices/update-app-store-key", { quiet: ["conflict"] });
  const { environmentId } = appStoreKey;
  const form = useZodForm(schema, { defaultValues: shownValues(appStoreKey) });
  useUnsavedInput(form.formState.isDirty);
  const hasFile = useWatch({ control: form.control, name: "certificateId" }) !== NO_FILE;

  const load = async () => {
    const stored = await query("devices/get-app-store-key", { environmentId });
    return { updatedAt: stored.updatedAt, values: shownValues(stored) };
  };
  const conflict = useEditConflict({
    form,
    updatedAt: appStoreKey.updatedAt,
    load,
    fields: [
      {
        name: "certificateId",
        label: t("file"),
        show: (value) => files.find(({ id }) => id === value)?.name ?? t("none"),
      },
      { name: "keyId", label: t("keyId") },
      { name: "issuerId", label: t("issuerId") },
    ],
  });

  const submit = async ({ certificateId, keyId, issuerId }: z.output<typeof schema>) => {
    const isNone = certificateId === NO_FILE;
    const chosen = {
      certificateId: isNone ? null : certificateId,
      ...(!isNone && { keyId, issuerId }),
    };
    return conflict.save((ifUpdatedAt) => update.run({ environmentId, ifUpdatedAt, ...chosen }));
  };
  const saved = (stored: AppStoreKey, input: z.input<typeof schema>) => {
    notify.success(t("saved"));
    showStored(form, shownValues(stored), input);
  };

  return (
    <KeyForm
      form={form}
      conflict={conflict}
      onSubmit={submit}
      onSuccess={saved}
      canWrite={canWrite}
      save={t("save")}
      docs="devices"
    >
      <FileField
        control={form.control}
        name="certificateId"
        files={files}
        texts="appStoreKey"
        noFile={t("none")}
        disabled={!canWrite}
      />
      {hasFile && (
        <>
          <FormField control={form.control} name="keyId" label={t("keyId")} hint={t("keyIdHint")}>
            {(input) => <Input {...input} maxLength={20} autoComplete="off" spellCheck={false} />}
          </FormField>
          <FormField control={form.control} name="issuerId" label={t("issuerId")} hint={t("issuerIdHint")}>
            {(input) => <Input {...input} maxLength={36} autoCapitalize="none" autoComplete="off" spellCheck={false} />}
          </FormField>
        </>
      )}
    </KeyForm>
  );
}
