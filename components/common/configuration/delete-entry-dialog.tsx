"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { ConfirmDialog } from "@/components/common/confirm-dialog";
import type { DialogProps } from "@/components/common/use-dialog";
import { useOperation } from "@/lib/client/use-operation";
import type { EntryKind } from "@/lib/features/configuration/schema";
import { type Undone, useUndo } from "../use-undo";
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
  const notifyUndoable = useUndo();
  const { id, key } = entry;

  const undo = async (): Promise<Undone> =>
    (await undoDeletion(kind, entry))
      ? { title: undoTexts("done", { key }) }
      : { title: undoTexts("keyInUse", { key }), description: undoTexts("keyInUseDetail"), failed: true };

  const confirm = async () => {
    const result = await remove.run({ id });
    if (!result.ok) return result;
    notifyUndoable(t("done", { key }), canUndo ? undo : undefined);
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
