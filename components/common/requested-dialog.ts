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

const requested = new Store<{ dialog: RequestedDialog; until: number; leaving: string | null } | null>(null);

function currentPath(): string {
  return location.pathname + location.search;
}

/**
 * Asks a page to open a dialog.
 * @param path of the page, which is opened next; by default, the current page
 */
export function requestDialog(dialog: RequestedDialog, path = currentPath()): void {
  const leaving = path === currentPath() ? null : currentPath();
  requested.set({ dialog, until: Date.now() + REQUEST_LIFETIME_MS, leaving });
}

/** Opens a dialog if it is requested. Of several buttons for the same dialog, the first one opens it. */
export function useRequestedDialog(dialog: RequestedDialog | undefined, show: () => void): void {
  const request = useStore(requested, (current) => (current?.dialog === dialog ? current : null));
  useEffect(() => {
    if (request === null || requested.get() !== request) return;
    // The page that is left may have such a button too, and would take the dialog with it.
    if (request.leaving === currentPath()) return;
    requested.set(null);
    if (Date.now() < request.until) show();
  }, [request, show]);
}
