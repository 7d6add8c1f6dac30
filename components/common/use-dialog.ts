"use client";

import { useCallback, useState } from "react";

/** The props of every dialog. */
export type DialogProps = { open: boolean; onOpenChange: (open: boolean) => void };

/** The state of a dialog that is mounted again each time it is opened; `OpenedDialog` renders it. */
export type DialogState = DialogProps & {
  /** Number of times that it was opened: the dialog's `key`. While it is 0, the dialog does not have to be rendered. */
  opening: number;
  show: () => void;
};

/** Manages whether a dialog is open. */
export function useDialog(): DialogState {
  const [{ opening, open }, setState] = useState({ opening: 0, open: false });
  const onOpenChange = useCallback((next: boolean) => setState((current) => ({ ...current, open: next })), []);
  const show = useCallback(() => setState((current) => ({ opening: current.opening + 1, open: true })), []);
  return { opening, open, onOpenChange, show };
}
