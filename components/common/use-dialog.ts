"use client";

import { useCallback, useState, useTransition } from "react";
import { useReportPending } from "./pending/pending-store";

/** The props of every dialog. */
export type DialogProps = { open: boolean; onOpenChange: (open: boolean) => void };

/** The state of a dialog that is mounted again each time it is opened; `OpenedDialog` renders it. */
export type DialogState = DialogProps & {
  /** Number of times that it was opened: the dialog's `key`. While it is 0, the dialog does not have to be rendered. */
  opening: number;
  /** Whether it is being opened: its code is being loaded. */
  pending: boolean;
  show: () => void;
};

/** Manages whether a dialog is open. The bar at the top of the window is shown while its code is being loaded. */
export function useDialog(): DialogState {
  const [{ opening, open }, setState] = useState({ opening: 0, open: false });
  const [pending, start] = useTransition();
  useReportPending(pending);
  const onOpenChange = useCallback((next: boolean) => setState((current) => ({ ...current, open: next })), []);
  const show = useCallback(
    () => start(() => setState((current) => (current.open ? current : { opening: current.opening + 1, open: true }))),
    [],
  );
  return { opening, open, pending, onOpenChange, show };
}
