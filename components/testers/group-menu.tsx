"use client";

import { Pencil, Trash2 } from "lucide-react";
import { useTranslations } from "next-intl";
import { ActionMenu } from "@/components/common/action-menu";
import { ConfirmDialogOnDemand } from "@/components/common/confirm-dialog-on-demand";
import { lazyDialog } from "@/components/common/lazy-dialog";
import { OpenedDialog } from "@/components/common/opened-dialog";
import { useDeletion } from "@/components/common/use-deletion";
import { type DialogProps, useDialog } from "@/components/common/use-dialog";
import { notify } from "@/lib/client/notify";
import type { EditGroupDialogProps } from "./edit-group-dialog";

const EditGroupDialog = lazyDialog(() => import("./edit-group-dialog").then((file) => file.EditGroupDialog));

/** The menu of a group of testers. */
export function GroupMenu({ group, environments }: Omit<EditGroupDialogProps, keyof DialogProps>) {
  const { id, name } = group;
  const t = useTranslations("testers");
  const common = useTranslations("common");
  const editing = useDialog();
  const deletion = useDialog();
  const { run } = useDeletion("testers/delete-tester-group", { id }, () => notify.success(t("deleted", { name })));
  return (
    <>
      <ActionMenu
        name={name}
        actions={[
          { label: t("edit"), icon: <Pencil aria-hidden />, onSelect: editing.show },
          {
            label: common("delete"),
            icon: <Trash2 aria-hidden />,
            onSelect: deletion.show,
            destructive: true as const,
          },
        ]}
      />
      <OpenedDialog state={editing}>
        {(dialog) => <EditGroupDialog {...dialog} group={group} environments={environments} />}
      </OpenedDialog>
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
