"use client";

import { Trash2 } from "lucide-react";
import { useTranslations } from "next-intl";
import { ConfirmDialogOnDemand } from "@/components/common/confirm-dialog-on-demand";
import { RowDialogButton } from "@/components/common/dialog-button";
import { useDeletion } from "@/components/common/use-deletion";
import { notify } from "@/lib/client/notify";

/** Deletes an API token after its name was typed: everything that uses the token stops working immediately. */
export function DeleteApiTokenButton({ id, name }: { id: string; name: string }) {
  const t = useTranslations("apiTokens");
  const { run } = useDeletion("config/delete-api-token", { id }, () => notify.success(t("deleted", { name })));

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
          onConfirm={run}
        />
      )}
    />
  );
}
