"use client";

import { Trash2 } from "lucide-react";
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import type { OperationInput, OperationPath } from "@/lib/client/operation-types";
import { ConfirmDialogOnDemand } from "./confirm-dialog-on-demand";
import type { MenuItem } from "./menu";
import { OpenedDialog } from "./opened-dialog";
import { useDeletion } from "./use-deletion";
import { useDialog } from "./use-dialog";

type MenuDeletion = {
  /** The entry of the menu that asks for confirmation. */
  action: MenuItem;
  /** The dialog that confirms the deletion, to be rendered beside the menu. */
  dialog: ReactNode;
};

type MenuDeletionTexts = {
  title: string;
  description: string;
  /** "Delete" by default. */
  confirmLabel?: string;
};

/**
 * Provides the deletion of what a menu is about.
 * @param onDeleted reports the deletion
 */
export function useMenuDeletion<P extends OperationPath>(
  path: P,
  input: OperationInput<P>,
  { title, description, confirmLabel }: MenuDeletionTexts,
  onDeleted: () => void,
): MenuDeletion {
  const t = useTranslations("common");
  const state = useDialog();
  const { run } = useDeletion(path, input, onDeleted);
  return {
    action: { label: t("delete"), icon: <Trash2 aria-hidden />, onSelect: state.show, destructive: true },
    dialog: (
      <OpenedDialog state={state}>
        {(dialog) => (
          <ConfirmDialogOnDemand
            {...dialog}
            title={title}
            description={description}
            confirmLabel={confirmLabel ?? t("delete")}
            onConfirm={run}
          />
        )}
      </OpenedDialog>
    ),
  };
}
