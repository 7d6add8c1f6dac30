"use client";

import { useTranslations } from "next-intl";
import { useWatch } from "react-hook-form";
import { z } from "zod";
import { DocsLink } from "@/components/common/docs-link";
import { EditConflictNotice, useEditConflict } from "@/components/common/form/edit-conflict-notice";
import { Form } from "@/components/common/form/form";
import { FormField } from "@/components/common/form/form-field";
import { SubmitButton } from "@/components/common/form/submit-button";
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
import { PAGES } from "@/lib/kernel/navigation/pages";
import { FileField, NO_FILE } from "./file-field";

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
    const result = await conflict.save((ifUpdatedAt) => update.run({ environmentId, ifUpdatedAt, ...chosen }));
    if (result.ok) {
      notify.success(t("saved"));
      form.reset(shownValues(result.data));
    }
    return result;
  };

  return (
    <Form form={form} onSubmit={submit}>
      <EditConflictNotice form={form} conflict={conflict} />
      <fieldset disabled={!canWrite} className="flex min-w-0 flex-col gap-4">
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
      </fieldset>
      <div className="flex flex-wrap items-center gap-3">
        {canWrite && <SubmitButton className="max-lg:grow">{t("save")}</SubmitButton>}
        <DocsLink href={`${PAGES.docs}/app-bundles`} />
      </div>
    </Form>
  );
}
