"use client";

import { useRef } from "react";

/**
 * Returns the focus to the element that had it before a dialog opened, even if the dialog has no trigger of its own or
 * was opened from a menu that no longer exists.
 *
 * @returns handlers for the content of a Radix dialog
 */
export function useReturnFocus(): {
  onOpenAutoFocus: () => void;
  onCloseAutoFocus: (event: Event) => void;
} {
  const origin = useRef<HTMLElement | null>(null);
  return {
    onOpenAutoFocus: () => {
      const active = document.activeElement;
      // A menu's entry disappears with its menu; the menu is labelled by the button that opened it.
      const opener = active?.closest("[role=menu]")?.getAttribute("aria-labelledby");
      const element = opener ? document.getElementById(opener) : active;
      origin.current = element instanceof HTMLElement ? element : null;
    },
    onCloseAutoFocus: (event) => {
      event.preventDefault();
      const target = origin.current?.isConnected ? origin.current : document.querySelector("main");
      target?.focus({ preventScroll: true });
    },
  };
}
