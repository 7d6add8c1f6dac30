"use client";

import { useTranslations } from "next-intl";
import { Component, type ReactNode } from "react";
import { notify } from "@/lib/client/notify";
import { DialogLoadError } from "./lazy-dialog";
import type { DialogProps, DialogState } from "./use-dialog";

export type OpenedDialogProps = {
  state: DialogState;
  /** The dialog. Declare it with `lazyDialog`, so that its code is loaded when it is opened for the first time. */
  children: (dialog: DialogProps) => ReactNode;
};

/** A dialog of `useDialog`. It is not rendered before it is opened, and each opening mounts a new instance. */
export function OpenedDialog({ state: { opening, open, onOpenChange }, children }: OpenedDialogProps) {
  const t = useTranslations("common.dialogNotLoaded");
  if (opening === 0) return null;
  const failed = () => {
    notify.error(t("title"), { description: t("description") });
    onOpenChange(false);
  };
  return (
    <LoadBoundary key={opening} onFailed={failed}>
      {children({ open, onOpenChange })}
    </LoadBoundary>
  );
}

type LoadBoundaryProps = { onFailed: () => void; children: ReactNode };

/** Renders nothing if the code of the dialog could not be loaded. Other errors are thrown on. */
class LoadBoundary extends Component<LoadBoundaryProps, { error: unknown }> {
  override state: { error: unknown } = { error: null };

  static getDerivedStateFromError(error: unknown) {
    return { error };
  }

  override componentDidCatch(error: unknown) {
    if (!(error instanceof DialogLoadError)) return;
    error.reset();
    this.props.onFailed();
  }

  override render() {
    const { error } = this.state;
    if (error === null) return this.props.children;
    if (error instanceof DialogLoadError) return null;
    throw error;
  }
}
