"use client";

import { Copy, Download, Pencil, Plus, Trash2 } from "lucide-react";
import dynamic from "next/dynamic";
import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { ActionMenu } from "@/components/common/action-menu";
import { ConfirmDialogOnDemand } from "@/components/common/confirm-dialog-on-demand";
import { DialogButton } from "@/components/common/dialog-button";
import type { MenuItem } from "@/components/common/menu";
import { OpenedDialog } from "@/components/common/opened-dialog";
import { useDialog } from "@/components/common/use-dialog";
import { notify } from "@/lib/client/notify";
import { useOperation } from "@/lib/client/use-operation";
import type { SecureCertificate } from "@/lib/features/certificates/schema";
import { useCertificateSecret } from "./use-certificate-secret";

// Loaded when they are opened for the first time, not with the list.
const CreateCertificateDialog = dynamic(
  () => import("./certificate-dialog").then((file) => file.CreateCertificateDialog),
  { ssr: false },
);
const UpdateCertificateDialog = dynamic(
  () => import("./certificate-dialog").then((file) => file.UpdateCertificateDialog),
  { ssr: false },
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

export type CertificateMenuProps = { certificate: SecureCertificate; canWrite: boolean };

/** The menu of a certificate in a list: download, copy the password, edit and delete. */
export function CertificateMenu({ certificate, canWrite }: CertificateMenuProps) {
  const t = useTranslations("certificates");
  const common = useTranslations("common");
  const router = useRouter();
  const update = useDialog();
  const asking = useDialog();
  const remove = useOperation("apps/delete-secure-certificate");
  const { download, copyPassword } = useCertificateSecret(certificate);
  const { id, key, format, hasPrivateKey } = certificate;
  const mayHavePassword = format === "p12" || format === "pfx" || hasPrivateKey !== false;

  const confirm = async () => {
    const result = await remove.run({ id });
    if (result.ok) {
      notify.success(t("deleted", { key }));
      router.refresh();
    }
    return result;
  };

  const writing: MenuItem[] = [
    { label: common("edit"), icon: <Pencil aria-hidden />, onSelect: update.show },
    { label: common("delete"), icon: <Trash2 aria-hidden />, onSelect: asking.show, destructive: true },
  ];
  return (
    <>
      <ActionMenu
        name={key}
        actions={[
          { label: t("download"), icon: <Download aria-hidden />, onSelect: () => void download() },
          ...(mayHavePassword
            ? [{ label: t("copyPassword"), icon: <Copy aria-hidden />, onSelect: () => void copyPassword() }]
            : []),
          ...(canWrite ? writing : []),
        ]}
      />
      <OpenedDialog state={update}>
        {(dialog) => <UpdateCertificateDialog certificate={certificate} {...dialog} />}
      </OpenedDialog>
      <OpenedDialog state={asking}>
        {(dialog) => (
          <ConfirmDialogOnDemand
            {...dialog}
            title={t("deleteTitle", { key })}
            description={t("deleteDescription")}
            confirmLabel={t("deleteConfirm")}
            onConfirm={confirm}
          />
        )}
      </OpenedDialog>
    </>
  );
}
