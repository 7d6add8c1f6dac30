"use client";

import { Pencil, Trash2 } from "lucide-react";
import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { ActionMenu } from "@/components/common/action-menu";
import { ConfirmDialogOnDemand } from "@/components/common/confirm-dialog-on-demand";
import type { MenuItem } from "@/components/common/menu";
import { OpenedDialog } from "@/components/common/opened-dialog";
import { type DialogProps, useDialog } from "@/components/common/use-dialog";
import { notify } from "@/lib/client/notify";
import { useNotifiedCall, useOperation } from "@/lib/client/use-operation";
import type { EntryKind } from "@/lib/features/configuration/schema";

const DELETE_OPERATIONS = {
  "dev-variable": "apps/delete-development-variable",
  "secure-variable": "apps/delete-secure-variable",
  "secure-certificate": "apps/delete-secure-certificate",
} as const satisfies Record<EntryKind, string>;

type UndoDeletion = typeof import("./undo-deletion").undoDeletion;

export type EntryMenuProps = {
  kind: EntryKind;
  entry: { id: string; environmentId: string; key: string };
  canWrite: boolean;
  /** Whether a deletion can be undone; this needs the history. */
  canUndo: boolean;
  /** Actions before editing and deleting. */
  actions?: readonly MenuItem[];
  /** Runs before the dialog opens, which it prevents with `false`. */
  onEdit?: () => Promise<boolean>;
  /** The dialog that changes the entry. */
  dialog: (dialog: DialogProps) => ReactNode;
};

/** The menu of a variable or certificate in a list: edit, delete and what else the kind has. */
export function EntryMenu({ kind, entry, canWrite, canUndo, actions = [], onEdit, dialog }: EntryMenuProps) {
  const t = useTranslations(kind === "secure-certificate" ? "certificates.deletion" : "variables.deletion");
  const common = useTranslations("common");
  const undoTexts = useTranslations("configuration.undo");
  const router = useRouter();
  const update = useDialog();
  const asking = useDialog();
  const remove = useOperation(DELETE_OPERATIONS[kind]);
  const notified = useNotifiedCall();
  const { id, key } = entry;

  const edit = async () => {
    if (!onEdit || (await onEdit())) update.show();
  };

  const undo = async (undoDeletion: UndoDeletion) => {
    const isRestored = await notified(() => undoDeletion(kind, entry));
    if (isRestored === null) return;
    if (isRestored) notify.success(undoTexts("done", { key }));
    else notify.warning(undoTexts("keyInUse", { key }), { description: undoTexts("keyInUseDetail") });
    router.refresh();
  };

  const confirm = async () => {
    const loading = canUndo ? import("./undo-deletion").catch(() => null) : null;
    const result = await remove.run({ id });
    if (!result.ok) return result;
    const loaded = await loading;
    const action = loaded && { label: undoTexts("action"), onClick: () => undo(loaded.undoDeletion) };
    notify.success(t("done", { key }), action ? { action } : {});
    router.refresh();
    return result;
  };

  const writing: MenuItem[] = [
    { label: common("edit"), icon: <Pencil aria-hidden />, onSelect: () => void edit() },
    { label: common("delete"), icon: <Trash2 aria-hidden />, onSelect: asking.show, destructive: true },
  ];
  return (
    <>
      <ActionMenu name={key} actions={[...actions, ...(canWrite ? writing : [])]} />
      <OpenedDialog state={update}>{dialog}</OpenedDialog>
      <OpenedDialog state={asking}>
        {(props) => (
          <ConfirmDialogOnDemand
            {...props}
            title={t("title", { key })}
            description={t("description")}
            confirmLabel={t("confirm")}
            onConfirm={confirm}
          />
        )}
      </OpenedDialog>
    </>
  );
}
