"use client";

import { useTranslations } from "next-intl";
import { type ReactNode, useState } from "react";
import { ConfirmDialog } from "./confirm-dialog";
import { useUnsavedInput } from "./unsaved-input";
import type { DialogProps } from "./use-dialog";

export type GuardedCloseOptions = DialogProps & {
  /** Whether the dialog contains input that is lost when it closes. */
  unsaved: boolean;
  /** Whether a call is under way, during which the dialog stays open. */
  busy: boolean;
};

export type GuardedClose = {
  /** Closes the dialog; with unsaved input, it asks for confirmation first. */
  requestClose: () => void;
  /** The `onOpenChange` of the dialog. */
  onOpenChange: (open: boolean) => void;
  /** The question, to be rendered in the content of the dialog. */
  confirmation: ReactNode;
};

/** Closes a dialog with unsaved input only after a confirmation. Its input counts as unsaved input of the page. */
export function useGuardedClose({ open, onOpenChange, unsaved, busy }: GuardedCloseOptions): GuardedClose {
  const t = useTranslations("common");
  const [confirming, setConfirming] = useState(false);
  useUnsavedInput(open && unsaved);

  const requestClose = () => {
    if (busy) return;
    if (unsaved) setConfirming(true);
    else onOpenChange(false);
  };

  return {
    requestClose,
    onOpenChange: (next) => (next ? onOpenChange(true) : requestClose()),
    confirmation: (
      <ConfirmDialog
        open={confirming}
        onOpenChange={setConfirming}
        title={t("discard.title")}
        description={t("discard.description")}
        cancelLabel={t("discard.keep")}
        confirmLabel={t("discard.confirm")}
        onConfirm={() => onOpenChange(false)}
      />
    ),
  };
}
