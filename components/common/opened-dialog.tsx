"use client";

import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { LoadBoundary, useLoadFailureNotice } from "./lazy-part";
import type { DialogProps, DialogState } from "./use-dialog";

export type OpenedDialogProps = {
  state: DialogState;
  /** The dialog. Declare it with `lazyDialog`, so that its code is loaded when it is opened for the first time. */
  children: (dialog: DialogProps) => ReactNode;
};

/** A dialog of `useDialog`. It is not rendered before it is opened, and each opening mounts a new instance. */
export function OpenedDialog({ state: { opening, open, onOpenChange }, children }: OpenedDialogProps) {
  const t = useTranslations("common.dialogNotLoaded");
  const notifyFailure = useLoadFailureNotice();
  if (opening === 0) return null;
  const failed = () => {
    notifyFailure(t("title"));
    onOpenChange(false);
  };
  return (
    <LoadBoundary key={opening} onFailed={failed}>
      {children({ open, onOpenChange })}
    </LoadBoundary>
  );
}
