import { Fragment, type ReactNode } from "react";
import type { DialogProps, DialogState } from "./use-dialog";

export type OpenedDialogProps = {
  state: DialogState;
  /** The dialog. Load it with `dynamic()`, so that its code is loaded when it is opened for the first time. */
  children: (dialog: DialogProps) => ReactNode;
};

/** A dialog of `useDialog`. It is not rendered before it is opened, and each opening mounts a new instance. */
export function OpenedDialog({ state: { opening, open, onOpenChange }, children }: OpenedDialogProps) {
  return opening > 0 && <Fragment key={opening}>{children({ open, onOpenChange })}</Fragment>;
}
