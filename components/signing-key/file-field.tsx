"use client";

import { useTranslations } from "next-intl";
import type { Control, FieldPathByValue, FieldValues } from "react-hook-form";
import { SelectField } from "@/components/common/form/select-field";
import type { SecureCertificate } from "@/lib/features/certificates/schema";

/** The choice of no file. */
export const NO_FILE = "none";

type Props<Values extends FieldValues> = {
  control: Control<Values>;
  name: FieldPathByValue<Values, string>;
  files: readonly SecureCertificate[];
  texts: "signingKey" | "appStoreKey";
  /** What is used without a file. */
  noFile: string;
  disabled: boolean;
};

/** The choice of one of an environment's certificate files. */
export function FileField<Values extends FieldValues>({ files, texts, noFile, ...field }: Props<Values>) {
  const t = useTranslations(texts);
  const labelOf = ({ name, status }: SecureCertificate) => (status === "active" ? name : t("inactive", { name }));
  const options = [
    { value: NO_FILE, label: noFile },
    ...files.map((file) => ({ value: file.id, label: labelOf(file) })),
  ];
  return <SelectField {...field} label={t("file")} hint={t("fileHint")} options={options} />;
}
