"use client";

import { CERTIFICATE_FORMATS, KEYSTORE_FORMATS, limits } from "@slipway/certificates";
import { FileKey2 } from "lucide-react";
import { useTranslations } from "next-intl";
import { type UseFormReturn, useWatch } from "react-hook-form";
import { KeyInput } from "@/components/common/configuration/key-input";
import { FileDrop } from "@/components/common/file-drop";
import { FormField } from "@/components/common/form/form-field";
import { untilReady } from "@/components/common/form/pending-input";
import { StatusField } from "@/components/common/form/status-field";
import { Alert } from "@/components/ui/alert";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { PasswordInput } from "@/components/ui/password-input";
import { MAX_CERTIFICATE_PASSWORD, type SecureCertificate } from "@/lib/features/certificates/schema";
import { CertificateFacts } from "./certificate-facts";
import { factsOf, needsDate } from "./stored-facts";
import type { useCertificateFile } from "./use-certificate-file";

/** The values of the form; what is left out is an empty text. */
export type CertificateValues = {
  name: string;
  key: string;
  fileName: string;
  value: string;
  password: string;
  expirationDate: string;
  status: "active" | "inactive";
};

export type CertificateFieldsProps = {
  form: UseFormReturn<CertificateValues, unknown, CertificateValues>;
  file: ReturnType<typeof useCertificateFile>;
  /** The certificate that is changed. */
  stored?: SecureCertificate;
};

/** Of the files that may be chosen. Apple names its keys `.p8`, and Android Studio some keystores `.keystore`. */
const FILE_EXTENSIONS = [...CERTIFICATE_FORMATS, "p8", "keystore"] as const;

/** The fields of a certificate: its file, what the file tells, and what it cannot tell. */
export function CertificateFields({ form, file, stored }: CertificateFieldsProps) {
  const t = useTranslations("certificates");
  const { control } = form;
  const { chosen, rejection } = file;
  const password = useWatch({ control, name: "password" });
  const { errors } = form.formState;
  const facts = file.factsWith(password) ?? (stored ? factsOf(stored) : null);
  const asksPassword = chosen
    ? !chosen.closed.opened || KEYSTORE_FORMATS.includes(chosen.closed.format)
    : stored?.chainLength === null;
  const asksDate = needsDate(facts);

  const choose = async (selected: File) => {
    const next = await file.choose(selected);
    form.clearErrors(["value", "fileName", "password"]);
    form.setValue("fileName", next?.name ?? "", { shouldDirty: true });
    form.setValue("value", next?.value ?? "", { shouldDirty: true });
    form.setValue("password", "");
    form.setValue("expirationDate", "");
  };

  const openFile = async () => {
    const message = await file.open(form.getValues("password"));
    if (message !== null) form.setError("password", { message });
  };

  return (
    <>
      <Field
        label={t(stored ? "newFile" : "file")}
        optional={stored !== undefined}
        error={rejection ?? errors.value?.message ?? errors.fileName?.message}
      >
        {(field) => (
          <FileDrop
            {...field}
            extensions={FILE_EXTENSIONS}
            maxBytes={limits.MAX_FILE_BYTES}
            file={chosen}
            onFile={(selected) => void untilReady(control, choose(selected))}
            onReject={file.reject}
            hint={t("fileHint")}
            icon={<FileKey2 />}
          />
        )}
      </Field>
      {asksPassword && (
        <FormField control={control} name="password" label={t("password")} hint={t("passwordHint")} optional>
          {({ onChange, onBlur, ...field }) => (
            <PasswordInput
              {...field}
              onChange={(event) => {
                form.clearErrors("password");
                onChange(event);
              }}
              onBlur={() => {
                onBlur();
                void openFile();
              }}
              maxLength={MAX_CERTIFICATE_PASSWORD}
              autoComplete="new-password"
            />
          )}
        </FormField>
      )}
      {asksPassword && facts?.opened === false && password === "" && (
        <Alert tone="warning">{t("passwordMissing")}</Alert>
      )}
      {facts && <CertificateFacts facts={facts} />}
      {asksDate && (
        <FormField control={control} name="expirationDate" label={t("expirationDate")} hint={t("dateHint")}>
          {(field) => <Input {...field} type="date" />}
        </FormField>
      )}
      <FormField control={control} name="name" label={t("name")} hint={t("nameHint")}>
        {(field) => <Input {...field} autoComplete="off" />}
      </FormField>
      <FormField control={control} name="key" label={t("key")} hint={t(stored ? "renameHint" : "keyHint")}>
        {(field) => <KeyInput {...field} />}
      </FormField>
      <StatusField control={control} name="status" hint={t("statusHint")} />
    </>
  );
}
