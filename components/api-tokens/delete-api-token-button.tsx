"use client";

import { Trash2 } from "lucide-react";
import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { ConfirmDialogOnDemand } from "@/components/common/confirm-dialog-on-demand";
import { RowDialogButton } from "@/components/common/dialog-button";
import { notify } from "@/lib/client/notify";
import { useOperation } from "@/lib/client/use-operation";

/** Deletes an API token after its name was typed: everything that uses the token stops working immediately. */
export function DeleteApiTokenButton({ id, name }: { id: string; name: string }) {
  const t = useTranslations("apiTokens");
  const router = useRouter();
  const remove = useOperation("config/delete-api-token");

  const confirm = async () => {
    const result = await remove.run({ id });
    if (result.ok) {
      notify.success(t("deleted", { name }));
      router.refresh();
    }
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
          typeToConfirm={name}
          onConfirm={confirm}
        />
      )}
    />
  );
}
