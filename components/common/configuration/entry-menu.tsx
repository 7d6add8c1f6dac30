"use client";

import { Pencil, Trash2 } from "lucide-react";
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { ActionMenu } from "@/components/common/action-menu";
import { lazyDialog } from "@/components/common/lazy-dialog";
import type { MenuItem } from "@/components/common/menu";
import { OpenedDialog } from "@/components/common/opened-dialog";
import { type DialogProps, useDialog } from "@/components/common/use-dialog";
import type { DeleteEntryDialogProps } from "./delete-entry-dialog";

// Loaded when it is opened for the first time, not with the list.
const DeleteEntryDialog = lazyDialog(() => import("./delete-entry-dialog").then((file) => file.DeleteEntryDialog));

export type EntryMenuProps = Omit<DeleteEntryDialogProps, keyof DialogProps> & {
  canWrite: boolean;
  /** Actions before editing and deleting. */
  actions?: readonly MenuItem[];
  /** Runs before the dialog opens, which it prevents with `false`. */
  onEdit?: () => Promise<boolean>;
  /** The dialog that changes the entry. */
  dialog: (dialog: DialogProps) => ReactNode;
};

/** The menu of a variable or certificate in a list: edit, delete and what else the kind has. */
export function EntryMenu({ canWrite, actions = [], onEdit, dialog, ...deleted }: EntryMenuProps) {
  const common = useTranslations("common");
  const update = useDialog();
  const asking = useDialog();

  const edit = async () => {
    if (!onEdit || (await onEdit())) update.show();
  };

  const writing: MenuItem[] = [
    { label: common("edit"), icon: <Pencil aria-hidden />, onSelect: () => void edit() },
    { label: common("delete"), icon: <Trash2 aria-hidden />, onSelect: asking.show, destructive: true },
  ];
  return (
    <>
      <ActionMenu name={deleted.entry.key} actions={[...actions, ...(canWrite ? writing : [])]} />
      <OpenedDialog state={update}>{dialog}</OpenedDialog>
      <OpenedDialog state={asking}>{(props) => <DeleteEntryDialog {...deleted} {...props} />}</OpenedDialog>
    </>
  );
}
