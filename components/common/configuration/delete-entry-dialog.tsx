"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { ConfirmDialog } from "@/components/common/confirm-dialog";
import type { DialogProps } from "@/components/common/use-dialog";
import { notify } from "@/lib/client/notify";
import { useNotifiedCall, useOperation } from "@/lib/client/use-operation";
import type { EntryKind } from "@/lib/features/configuration/schema";
import { undoDeletion } from "./undo-deletion";

const DELETE_OPERATIONS = {
  "dev-variable": "apps/delete-development-variable",
  "secure-variable": "apps/delete-secure-variable",
  "secure-certificate": "apps/delete-secure-certificate",
} as const satisfies Record<EntryKind, string>;

export type DeleteEntryDialogProps = DialogProps & {
  kind: EntryKind;
  entry: { id: string; environmentId: string; key: string };
  /** Whether a deletion can be undone; this needs the history. */
  canUndo: boolean;
};

/** Asks whether to delete a variable or certificate, and offers to undo it afterwards. */
export function DeleteEntryDialog({ kind, entry, canUndo, open, onOpenChange }: DeleteEntryDialogProps) {
  const t = useTranslations(kind === "secure-certificate" ? "certificates.deletion" : "variables.deletion");
  const undoTexts = useTranslations("configuration.undo");
  const router = useRouter();
  const remove = useOperation(DELETE_OPERATIONS[kind]);
  const notified = useNotifiedCall();
  const { id, key } = entry;

  const undo = async () => {
    const isRestored = await notified(() => undoDeletion(kind, entry));
    if (isRestored === null) return;
    if (isRestored) notify.success(undoTexts("done", { key }));
    else notify.warning(undoTexts("keyInUse", { key }), { description: undoTexts("keyInUseDetail") });
    router.refresh();
  };

  const confirm = async () => {
    const result = await remove.run({ id });
    if (!result.ok) return result;
    notify.success(t("done", { key }), canUndo ? { action: { label: undoTexts("action"), onClick: undo } } : {});
    router.refresh();
    return result;
  };

  return (
    <ConfirmDialog
      open={open}
      onOpenChange={onOpenChange}
      title={t("title", { key })}
      description={t("description")}
      confirmLabel={t("confirm")}
      onConfirm={confirm}
    />
  );
}
