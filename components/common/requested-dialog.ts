"use client";

import { useEffect } from "react";
import { Store, useStore } from "./store";

/** The dialogs that an action elsewhere, such as one of the command palette, can ask the next page to open. */
export type RequestedDialog =
  | "apps/create"
  | "permissions/create"
  | "platforms/create"
  | "roles/create"
  | "tokens/create"
  | "users/create"
  | `upload ${string}`
  | `share ${string}`;

/** A page that does not open the dialog, because the user may not, forgets it after this time. */
const REQUEST_LIFETIME_MS = 20_000;

const requested = new Store<{ dialog: RequestedDialog; until: number } | null>(null);

/** Asks the page that is opened next, or the current one, to open a dialog. */
export function requestDialog(dialog: RequestedDialog): void {
  requested.set({ dialog, until: Date.now() + REQUEST_LIFETIME_MS });
}

/** Opens a dialog if it is requested. Of several buttons for the same dialog, the first one opens it. */
export function useRequestedDialog(dialog: RequestedDialog | undefined, show: () => void): void {
  const request = useStore(requested, (current) => (current?.dialog === dialog ? current : null));
  useEffect(() => {
    if (request === null || requested.get() !== request) return;
    requested.set(null);
    if (Date.now() < request.until) show();
  }, [request, show]);
}
