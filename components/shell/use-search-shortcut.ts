"use client";

import { useEffect, useSyncExternalStore } from "react";

/** Calls `open` on Ctrl+K, or Cmd+K on a Mac. */
export function useSearchShortcut(open: () => void): void {
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== "k" || event.altKey || event.shiftKey) return;
      if (isMac() ? !event.metaKey : !event.ctrlKey) return;
      event.preventDefault();
      open();
    };
    window.addEventListener("keydown", listen);
    return () => window.removeEventListener("keydown", listen);
  }, [open]);
}

/** How the shortcut is written on this machine. */
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
