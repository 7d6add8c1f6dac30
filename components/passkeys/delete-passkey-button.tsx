"use client";

import { Trash2 } from "lucide-react";
import { useTranslations } from "next-intl";
import { ConfirmDialogOnDemand } from "@/components/common/confirm-dialog-on-demand";
import { RowDialogButton } from "@/components/common/dialog-button";
import { useDeletion } from "@/components/common/use-deletion";
import { notify } from "@/lib/client/notify";

/** Deletes one of the user's own passkeys after confirmation. */
export function DeletePasskeyButton({ id, name }: { id: string; name: string }) {
  const t = useTranslations("passkeys");
  const { run } = useDeletion("auth/delete-user-passkey", { id }, () => notify.success(t("deleted", { name })));

  return (
    <RowDialogButton
      label={t("delete", { name })}
      icon={<Trash2 aria-hidden />}
      destructive
      dialog={(dialog) => (
        <ConfirmDialogOnDemand
          {...dialog}
          title={t("deleteTitle", { name })}
          description={t("deleteDescription")}
          confirmLabel={t("deleteConfirm")}
          onConfirm={run}
        />
      )}
    />
  );
}
