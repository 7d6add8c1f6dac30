"use client";

import type { CertificateFile, CertificateFileErrorReason } from "@slipway/certificates";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { toBase64 } from "@/components/common/base64";
import { readCertificate } from "./read-certificate";

/** What the form shows of a certificate file. What the file does not tell is missing. */
export type CertificateFacts = Pick<
  CertificateFile,
  "opened" | "subject" | "issuer" | "expirationDate" | "sha256" | "hasPrivateKey" | "chainLength"
>;

/** A file that was chosen and read. */
export type ChosenFile = {
  name: string;
  size: number;
  bytes: Uint8Array<ArrayBuffer>;
  /** In base64. */
  value: string;
  /** What it tells without a password. */
  closed: CertificateFile;
};

export type CertificateFileState = {
  chosen: ChosenFile | null;
  /** Why the latest file is refused, in the user's language. */
  rejection: string | undefined;
  /** Reads a file that the user chose. @returns null if it is refused */
  choose: (file: File) => Promise<ChosenFile | null>;
  /** Refuses a file before it is read. */
  reject: (reason: "format" | "size") => void;
  /** What the chosen file tells with this password. */
  factsWith: (password: string) => CertificateFile | null;
  /** Reads the chosen file with a password. @returns why it is refused, in the user's language; null if it opens */
  open: (password: string) => Promise<string | null>;
};

/** A certificate file in a form: it is read in the browser before anything is sent. */
export function useCertificateFile(): CertificateFileState {
  const t = useTranslations("validation");
  const certificates = useTranslations("certificates");
  const [chosen, setChosen] = useState<ChosenFile | null>(null);
  const [opened, setOpened] = useState<{ password: string; file: CertificateFile } | null>(null);
  const [rejection, setRejection] = useState<string>();

  const textOf = (reason: CertificateFileErrorReason) =>
    ({
      invalid_format: t("certificateFormat"),
      java_keystore: t("certificateJavaKeystore"),
      wrong_password: t("certificatePassword"),
      unsupported_encryption: t("certificateEncryption"),
      read_error: t("certificateUnreadable"),
      too_large: certificates("tooLarge"),
    })[reason];

  const refuse = (reason: CertificateFileErrorReason) => {
    setChosen(null);
    setRejection(textOf(reason));
    return null;
  };

  const choose = async (file: File) => {
    setOpened(null);
    const bytes = await file.arrayBuffer().then(
      (buffer) => new Uint8Array(buffer),
      () => null,
    );
    // The browser cannot read a file that was moved or changed after it was chosen.
    if (bytes === null) return refuse("read_error");
    const reading = await readCertificate(bytes, { fileName: file.name });
    if (!reading.ok) return refuse(reading.reason);
    setRejection(undefined);
    const next = { name: file.name, size: file.size, bytes, value: toBase64(bytes), closed: reading.file };
    setChosen(next);
    return next;
  };

  const factsWith = (password: string) => {
    if (chosen === null) return null;
    return opened !== null && opened.password === password ? opened.file : chosen.closed;
  };

  const open = async (password: string) => {
    if (chosen === null || password === "" || opened?.password === password) return null;
    const reading = await readCertificate(chosen.bytes, { fileName: chosen.name, password });
    if (!reading.ok) return textOf(reading.reason);
    setOpened({ password, file: reading.file });
    return null;
  };

  return {
    chosen,
    rejection,
    choose,
    reject: (reason) => refuse(reason === "size" ? "too_large" : "invalid_format"),
    factsWith,
    open,
  };
}
