"use client";

import { Trash2 } from "lucide-react";
import { useTranslations } from "next-intl";
import { ActionMenu } from "@/components/common/action-menu";
import { ConfirmDialogOnDemand } from "@/components/common/confirm-dialog-on-demand";
import { OpenedDialog } from "@/components/common/opened-dialog";
import { useDeletion } from "@/components/common/use-deletion";
import { useDialog } from "@/components/common/use-dialog";
import { notify } from "@/lib/client/notify";

/** The menu of a group of testers. */
export function GroupMenu({ group: { id, name } }: { group: { id: string; name: string } }) {
  const t = useTranslations("testers");
  const common = useTranslations("common");
  const deletion = useDialog();
  const { run } = useDeletion("testers/delete-tester-group", { id }, () => notify.success(t("deleted", { name })));
  return (
    <>
      <ActionMenu
        name={name}
        actions={[
          {
            label: common("delete"),
            icon: <Trash2 aria-hidden />,
            onSelect: deletion.show,
            destructive: true as const,
          },
        ]}
      />
      <OpenedDialog state={deletion}>
        {(dialog) => (
          <ConfirmDialogOnDemand
            {...dialog}
            title={t("deleteTitle", { name })}
            description={t("deleteDescription")}
            confirmLabel={t("deleteConfirm")}
            onConfirm={run}
          />
        )}
      </OpenedDialog>
    </>
  );
}
