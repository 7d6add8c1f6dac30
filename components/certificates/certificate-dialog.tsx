"use client";

import { useTranslations } from "next-intl";
import type { UseFormReturn } from "react-hook-form";
import { z } from "zod";
import { EditConflictNotice, useEditConflict } from "@/components/common/form/edit-conflict-notice";
import { NOT_SUBMITTED } from "@/components/common/form/submit";
import { useStatusConflict } from "@/components/common/form/use-status-conflict";
import { useZodForm } from "@/components/common/form/use-zod-form";
import { FormDialog } from "@/components/common/form-dialog";
import type { DialogProps } from "@/components/common/use-dialog";
import { query } from "@/lib/client/client";
import { notify } from "@/lib/client/notify";
import { useOperation } from "@/lib/client/use-operation";
import { createCertificateInput, type SecureCertificate } from "@/lib/features/certificates/schema";
import { CertificateFields, type CertificateValues } from "./certificate-fields";
import { factsOf, needsDate } from "./stored-facts";
import { type CertificateFileState, useCertificateFile } from "./use-certificate-file";

const { shape } = createCertificateInput;
const empty = z.literal("");

/** The operations' input, with empty texts for what is left out. */
const createSchema = z.strictObject({
  name: shape.name,
  key: shape.key,
  fileName: shape.fileName.or(empty),
  value: shape.value,
  password: shape.password.unwrap(),
  expirationDate: empty.or(shape.expirationDate.unwrap()),
  status: shape.status.unwrap(),
});
const updateSchema = createSchema.extend({ value: empty.or(shape.value) });

type CertificateForm = UseFormReturn<CertificateValues, unknown, CertificateValues>;

/**
 * Returns a function that checks the file, its password and the date that the file does not contain before a submission.
 * It returns whether the form can be sent.
 */
function useReadiness(form: CertificateForm, file: CertificateFileState, stored?: SecureCertificate) {
  const t = useTranslations("validation");
  return async ({ password, expirationDate }: CertificateValues): Promise<boolean> => {
    if (file.rejection !== undefined) return false;
    const message = await file.open(password);
    if (message !== null) {
      form.setError("password", { message });
      return false;
    }
    const isDateMissing =
      expirationDate === "" && needsDate(file.factsWith(password) ?? (stored ? factsOf(stored) : null));
    if (isDateMissing) form.setError("expirationDate", { message: t("required") });
    return !isDateMissing;
  };
}

export type CreateCertificateDialogProps = DialogProps & { environmentId: string };

/** Adds a certificate to an environment. */
export function CreateCertificateDialog({ environmentId, open, onOpenChange }: CreateCertificateDialogProps) {
  const t = useTranslations("certificates");
  const create = useOperation("apps/create-secure-certificate");
  const file = useCertificateFile();
  const form = useZodForm<CertificateValues, CertificateValues>(createSchema, {
    defaultValues: { name: "", key: "", fileName: "", value: "", password: "", expirationDate: "", status: "active" },
  });

  const isReady = useReadiness(form, file);

  const submit = async (entered: CertificateValues) => {
    if (!(await isReady(entered))) return NOT_SUBMITTED;
    const { password, expirationDate, ...values } = entered;
    const result = await create.run({
      environmentId,
      ...values,
      sha256: file.chosen?.closed.sha256,
      password: password || undefined,
      expirationDate: expirationDate || undefined,
    });
    if (result.ok) notify.success(t("created", { key: result.data.key }));
    return result;
  };

  return (
    <FormDialog
      steady
      open={open}
      onOpenChange={onOpenChange}
      title={t("createTitle")}
      description={t("createDescription")}
      form={form}
      onSubmit={submit}
      refreshes
      submitLabel={t("create")}
    >
      <CertificateFields form={form} file={file} />
    </FormDialog>
  );
}

/** The day on which a certificate expires, as a date field takes it; empty if it does not. */
const dayOf = ({ expirationDate }: Pick<SecureCertificate, "expirationDate">) =>
  expirationDate?.slice(0, "YYYY-MM-DD".length) ?? "";

export type UpdateCertificateDialogProps = DialogProps & { certificate: SecureCertificate };

/** Changes a certificate. Its file is kept unless another one is chosen. */
export function UpdateCertificateDialog({ certificate, open, onOpenChange }: UpdateCertificateDialogProps) {
  const t = useTranslations("certificates");
  const update = useOperation("apps/update-secure-certificate", { quiet: ["conflict"] });
  const file = useCertificateFile();
  const { id, name, key, status } = certificate;
  const storedDay = dayOf(certificate);
  const form = useZodForm<CertificateValues, CertificateValues>(updateSchema, {
    defaultValues: { name, key, fileName: "", value: "", password: "", expirationDate: storedDay, status },
  });

  const isReady = useReadiness(form, file, certificate);
  const load = async () => {
    const { environmentId } = certificate;
    // What was changed a moment ago is among the first.
    const { items } = await query("apps/get-secure-certificates", { environmentId, sort: "-updatedAt", limit: 100 });
    const found = items.find((item) => item.id === id);
    if (!found) return null;
    const values = { name: found.name, key: found.key, status: found.status, expirationDate: dayOf(found) };
    return { updatedAt: found.updatedAt, values };
  };
  const statusField = useStatusConflict();
  const conflict = useEditConflict({
    form,
    updatedAt: certificate.updatedAt,
    load,
    fields: [
      { name: "name", label: t("name") },
      { name: "key", label: t("key") },
      { name: "expirationDate", label: t("expirationDate") },
      { name: "value", label: t("file"), isSecret: true },
      { name: "password", label: t("password"), isSecret: true },
      statusField,
    ],
  });

  const submit = async (values: CertificateValues) => {
    if (!(await isReady(values))) return NOT_SUBMITTED;
    const isDateKept = file.chosen === null && values.expirationDate === storedDay;
    const changes = {
      name: values.name,
      key: values.key,
      status: values.status,
      fileName: values.fileName || undefined,
      value: values.value || undefined,
      sha256: file.chosen?.closed.sha256,
      password: values.password || undefined,
      expirationDate: isDateKept ? undefined : values.expirationDate || null,
    };
    const result = await conflict.save((ifUpdatedAt) => update.run({ id, ifUpdatedAt, ...changes }));
    if (result.ok) notify.success(t("updated", { key: result.data.key }));
    return result;
  };

  return (
    <FormDialog
      steady
      open={open}
      onOpenChange={onOpenChange}
      title={t("update", { key })}
      form={form}
      onSubmit={submit}
      refreshes
      submitLabel={t("save")}
    >
      <EditConflictNotice form={form} conflict={conflict} />
      <CertificateFields form={form} file={file} stored={certificate} />
    </FormDialog>
  );
}
