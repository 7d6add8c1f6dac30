"use client";

import { useSearchParams } from "next/navigation";
import { useEffect } from "react";
import { type RequestedDialog, requestedDialog, withoutRequest } from "@/lib/kernel/navigation/requested-dialog";
import type { DialogState } from "./use-dialog";

/** The component that opens the requested dialog: of several for the same dialog, the first one. */
let opener: object | null = null;

/**
 * Opens a dialog if the address asks for it (`dialogPath`). The request stays in the address until the dialog is open, so that
 * it is not lost while a page loads slowly, is loaded again, or is left for the sign-in.
 */
export function useRequestedDialog(
  dialog: RequestedDialog | undefined,
  { open, show }: Pick<DialogState, "open" | "show">,
): void {
  const query = useSearchParams();
  const requested = dialog !== undefined && requestedDialog(query) === dialog;

  useEffect(() => {
    // The address is ahead of the rendered query.
    if (!requested || requestedDialog(new URLSearchParams(location.search)) !== dialog) return;
    if (open) {
      window.history.replaceState(null, "", withoutRequest(location));
      return;
    }
    if (opener !== null) return;
    const self = {};
    opener = self;
    show();
    return () => {
      if (opener === self) opener = null;
    };
  }, [requested, dialog, open, show]);
}
