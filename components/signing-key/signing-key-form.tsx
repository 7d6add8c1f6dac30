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
import { PasswordInput } from "@/components/ui/password-input";
import { query } from "@/lib/client/client";
import { notify } from "@/lib/client/notify";
import { useOperation } from "@/lib/client/use-operation";
import {
  MAX_ALIAS,
  MAX_CERTIFICATE_PASSWORD,
  type SecureCertificate,
  type SigningKey,
} from "@/lib/features/certificates/schema";
import { FileField, NO_FILE } from "./file-field";
import { KeyForm } from "./key-form";

const schema = z.object({
  certificateId: z.string(),
  alias: z.string().trim(),
  keyPassword: z.string(),
});

export type SigningKeyFormProps = { signingKey: SigningKey; files: readonly SecureCertificate[]; canWrite: boolean };

/** A key as the form shows it, without its password. */
function shownValues({ certificate, alias }: SigningKey): z.input<typeof schema> {
  return { certificateId: certificate?.id ?? NO_FILE, alias: alias ?? "", keyPassword: "" };
}

/** Chooses the key that signs the APKs of an environment's bundles. */
export function SigningKeyForm({ signingKey, files, canWrite }: SigningKeyFormProps) {
  const t = useTranslations("signingKey");
  const update = useOperation("apps/update-signing-key", { quiet: ["conflict"] });
  const { environmentId } = signingKey;
  const form = useZodForm(schema, { defaultValues: shownValues(signingKey) });
  useUnsavedInput(form.formState.isDirty);
  const hasFile = useWatch({ control: form.control, name: "certificateId" }) !== NO_FILE;

  const load = async () => {
    const stored = await query("apps/get-signing-key", { environmentId });
    return { updatedAt: stored.updatedAt, values: shownValues(stored) };
  };
  const conflict = useEditConflict({
    form,
    updatedAt: signingKey.updatedAt,
    load,
    fields: [
      {
        name: "certificateId",
        label: t("file"),
        show: (value) => files.find(({ id }) => id === value)?.name ?? t("own"),
      },
      { name: "alias", label: t("alias") },
      { name: "keyPassword", label: t("keyPassword"), isSecret: true },
    ],
  });

  const submit = async ({ certificateId, alias, keyPassword }: z.output<typeof schema>) => {
    const isOwn = certificateId === NO_FILE;
    const chosen = {
      certificateId: isOwn ? null : certificateId,
      ...(!isOwn && alias !== "" && { alias }),
      ...(!isOwn && keyPassword !== "" && { keyPassword }),
    };
    return conflict.save((ifUpdatedAt) => update.run({ environmentId, ifUpdatedAt, ...chosen }));
  };
  const saved = (stored: SigningKey, input: z.input<typeof schema>) => {
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
      docs="app-bundles"
    >
      <FileField
        control={form.control}
        name="certificateId"
        files={files}
        texts="signingKey"
        noFile={t("own")}
        disabled={!canWrite}
      />
      {hasFile && (
        <>
          <FormField control={form.control} name="alias" label={t("alias")} hint={t("aliasHint")} optional>
            {(input) => (
              <Input {...input} maxLength={MAX_ALIAS} autoCapitalize="none" autoComplete="off" spellCheck={false} />
            )}
          </FormField>
          <FormField
            control={form.control}
            name="keyPassword"
            label={t("keyPassword")}
            hint={t("keyPasswordHint")}
            optional
          >
            {(input) => <PasswordInput {...input} maxLength={MAX_CERTIFICATE_PASSWORD} autoComplete="new-password" />}
          </FormField>
        </>
      )}
    </KeyForm>
  );
}
