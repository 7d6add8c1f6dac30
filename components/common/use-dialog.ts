"use client";

import { useCallback, useState } from "react";

/** What every dialog takes. */
export type DialogProps = { open: boolean; onOpenChange: (open: boolean) => void };

/** The state of a dialog that begins anew each time it is opened; `OpenedDialog` renders it. */
export type DialogState = DialogProps & {
  /** How often it has been opened: the dialog's `key`; at 0 it need not be there at all. */
  opening: number;
  show: () => void;
};

/** Keeps whether a dialog is open. */
export function useDialog(): DialogState {
  const [{ opening, open }, setState] = useState({ opening: 0, open: false });
  const onOpenChange = useCallback((next: boolean) => setState((current) => ({ ...current, open: next })), []);
  const show = useCallback(() => setState((current) => ({ opening: current.opening + 1, open: true })), []);
  return { opening, open, onOpenChange, show };
}
