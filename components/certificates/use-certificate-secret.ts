"use client";

import { CERTIFICATE_EXTENSIONS } from "@slipway/certificates";
import { useTranslations } from "next-intl";
import { fromBase64 } from "@/components/common/base64";
import { saveFile } from "@/components/common/save-file";
import { writeClipboardText } from "@/components/common/write-clipboard";
import { query } from "@/lib/client/client";
import { notify } from "@/lib/client/notify";
import { useNotifiedCall } from "@/lib/client/use-operation";
import type { SecureCertificate } from "@/lib/features/certificates/schema";
import { safeFileName } from "@/lib/kernel/file-name";

/** Saves the file of a certificate and copies its password. The client asks for the second factor if it is needed. */
export function useCertificateSecret({ id, key }: Pick<SecureCertificate, "id" | "key">): {
  download: () => Promise<void>;
  copyPassword: () => Promise<void>;
} {
  const t = useTranslations("certificates");
  const copy = useTranslations("common.copy");
  const notified = useNotifiedCall();

  const reveal = () => notified(() => query("apps/get-secure-certificate", { id }));

  const download = async () => {
    const revealed = await reveal();
    if (!revealed) return;
    const { value, fileName, format } = revealed;
    saveFile(new Blob([fromBase64(value)]), safeFileName(fileName, [format, ...CERTIFICATE_EXTENSIONS]));
  };

  const copyPassword = async () => {
    const revealed = await reveal();
    if (!revealed) return;
    if (revealed.password === null) {
      notify.info(t("noPassword", { key }));
      return;
    }
    try {
      await writeClipboardText(revealed.password);
      notify.success(t("passwordCopied", { key }));
    } catch {
      notify.error(copy("failedTitle"), { description: copy("failedDescription") });
    }
  };

  return { download, copyPassword };
}
