"use client";

import { useTranslations } from "next-intl";
import { ConfirmDialog } from "@/components/common/confirm-dialog";
import type { DialogProps } from "@/components/common/use-dialog";
import type { EntryKind } from "@/lib/features/configuration/schema";
import { useDeletion } from "../use-deletion";
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
  const notifyUndoable = useUndo();
  const { id, key } = entry;

  const undo = async (): Promise<Undone> =>
    (await undoDeletion(kind, entry))
      ? { title: undoTexts("done", { key }) }
      : { title: undoTexts("keyInUse", { key }), description: undoTexts("keyInUseDetail"), failed: true };

  const { run } = useDeletion(DELETE_OPERATIONS[kind], { id }, () =>
    notifyUndoable(t("done", { key }), canUndo ? undo : undefined),
  );

  return (
    <ConfirmDialog
      open={open}
      onOpenChange={onOpenChange}
      title={t("title", { key })}
      description={t("description")}
      confirmLabel={t("confirm")}
      onConfirm={run}
    />
  );
}
