"use client";

import { Pencil } from "lucide-react";
import { useTranslations } from "next-intl";
import { ActionMenu } from "@/components/common/action-menu";
import { lazyDialog } from "@/components/common/lazy-dialog";
import { OpenedDialog } from "@/components/common/opened-dialog";
import { type DialogProps, useDialog } from "@/components/common/use-dialog";
import { useMenuDeletion } from "@/components/common/use-menu-deletion";
import { notify } from "@/lib/client/notify";
import type { EditGroupDialogProps } from "./edit-group-dialog";

const EditGroupDialog = lazyDialog(() => import("./edit-group-dialog").then((file) => file.EditGroupDialog));

/** The menu of a group of testers. */
export function GroupMenu({ group, environments }: Omit<EditGroupDialogProps, keyof DialogProps>) {
  const { id, name } = group;
  const t = useTranslations("testers");
  const editing = useDialog();
  const deletion = useMenuDeletion(
    "testers/delete-tester-group",
    { id },
    { title: t("deleteTitle", { name }), description: t("deleteDescription"), confirmLabel: t("deleteConfirm") },
    () => notify.success(t("deleted", { name })),
  );
  return (
    <>
      <ActionMenu
        name={name}
        actions={[{ label: t("edit"), icon: <Pencil aria-hidden />, onSelect: editing.show }, deletion.action]}
      />
      <OpenedDialog state={editing}>
        {(dialog) => <EditGroupDialog {...dialog} group={group} environments={environments} />}
      </OpenedDialog>
      {deletion.dialog}
    </>
  );
}
