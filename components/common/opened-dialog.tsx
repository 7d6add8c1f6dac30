import { Fragment, type ReactNode } from "react";
import type { DialogProps, DialogState } from "./use-dialog";

export type OpenedDialogProps = {
  state: DialogState;
  /** The dialog, which should be loaded with `dynamic()`: it comes with its first opening. */
  children: (dialog: DialogProps) => ReactNode;
};

/** A dialog of `useDialog`: not there before it was opened, and begun anew with each opening. */
export function OpenedDialog({ state: { opening, open, onOpenChange }, children }: OpenedDialogProps) {
  return opening > 0 && <Fragment key={opening}>{children({ open, onOpenChange })}</Fragment>;
}
