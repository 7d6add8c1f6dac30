"use client";

import { KEYSTORE_FORMATS } from "@slipway/certificates";
import { Copy, Download, Plus } from "lucide-react";
import { useTranslations } from "next-intl";
import { EntryMenu } from "@/components/common/configuration/entry-menu";
import { DialogButton } from "@/components/common/dialog-button";
import { lazyDialog } from "@/components/common/lazy-dialog";
import type { MenuItem } from "@/components/common/menu";
import type { SecureCertificate } from "@/lib/features/certificates/schema";
import { useCertificateSecret } from "./use-certificate-secret";

// Loaded when they are opened for the first time, not with the list.
const CreateCertificateDialog = lazyDialog(() =>
  import("./certificate-dialog").then((file) => file.CreateCertificateDialog),
);
const UpdateCertificateDialog = lazyDialog(() =>
  import("./certificate-dialog").then((file) => file.UpdateCertificateDialog),
);

/** Opens the dialog that adds a certificate to an environment. */
export function CreateCertificateButton({ environmentId }: { environmentId: string }) {
  const t = useTranslations("certificates");
  return (
    <DialogButton dialog={(dialog) => <CreateCertificateDialog environmentId={environmentId} {...dialog} />}>
      <Plus aria-hidden />
      {t("create")}
    </DialogButton>
  );
}

export type CertificateMenuProps = {
  certificate: SecureCertificate;
  canWrite: boolean;
  /** Whether a deletion can be undone; this needs the history. */
  canUndo: boolean;
};

/** The menu of a certificate in a list: download, copy the password, edit and delete. */
export function CertificateMenu({ certificate, canWrite, canUndo }: CertificateMenuProps) {
  const t = useTranslations("certificates");
  const { download, copyPassword } = useCertificateSecret(certificate);
  const { format, hasPrivateKey } = certificate;
  const mayHavePassword = KEYSTORE_FORMATS.includes(format) || hasPrivateKey !== false;

  const actions: MenuItem[] = [
    { label: t("download"), icon: <Download aria-hidden />, onSelect: () => void download() },
  ];
  if (mayHavePassword) {
    actions.push({ label: t("copyPassword"), icon: <Copy aria-hidden />, onSelect: () => void copyPassword() });
  }
  return (
    <EntryMenu
      kind="secure-certificate"
      entry={certificate}
      canWrite={canWrite}
      canUndo={canUndo}
      actions={actions}
      dialog={(dialog) => <UpdateCertificateDialog certificate={certificate} {...dialog} />}
    />
  );
}
