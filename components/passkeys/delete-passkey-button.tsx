"use client";

import { Trash2 } from "lucide-react";
import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { ConfirmDialogOnDemand } from "@/components/common/confirm-dialog-on-demand";
import { RowDialogButton } from "@/components/common/dialog-button";
import { notify } from "@/lib/client/notify";
import { useOperation } from "@/lib/client/use-operation";

/** Deletes one of the user's own passkeys after confirmation. */
export function DeletePasskeyButton({ id, name }: { id: string; name: string }) {
  const t = useTranslations("passkeys");
  const router = useRouter();
  const remove = useOperation("auth/delete-user-passkey");

  const confirm = async () => {
    const result = await remove.run({ id });
    if (result.ok) notify.success(t("deleted", { name }));
    // If it was already deleted, the list has to be updated too.
    if (result.ok || result.problem.code === "not_found") router.refresh();
    return result;
  };

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
          onConfirm={confirm}
        />
      )}
    />
  );
}
