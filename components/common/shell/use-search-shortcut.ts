"use client";

import { useLayoutEffect, useSyncExternalStore } from "react";

/**
 * Calls `open` on Ctrl+K, or Cmd+K on a Mac.
 *
 * @returns the shortcut in the format of `aria-keyshortcuts`; undefined until the page is hydrated, because pressing it
 *   earlier has no effect
 */
export function useSearchShortcut(open: () => void): string | undefined {
  useLayoutEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== "k" || event.altKey || event.shiftKey) return;
      if (isMac() ? !event.metaKey : !event.ctrlKey) return;
      event.preventDefault();
      open();
    };
    window.addEventListener("keydown", listen);
    return () => window.removeEventListener("keydown", listen);
  }, [open]);
  return useSyncExternalStore(
    () => () => {},
    () => (isMac() ? "Meta+K" : "Control+K"),
    () => undefined,
  );
}

/** The shortcut as displayed on this machine. */
export function useSearchShortcutLabel(): string {
  return useSyncExternalStore(
    () => () => {},
    () => (isMac() ? "⌘ K" : "Ctrl K"),
    () => "Ctrl K",
  );
}

function isMac(): boolean {
  return /Mac|iPhone|iPad/.test(navigator.userAgent);
}
