"use client";

import { useRef } from "react";

/**
 * Gives the focus back to what had it before a dialog opened, also when the dialog was opened without a trigger of its
 * own or from a menu that is gone by then.
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
      // An entry of a menu leaves with its menu; the menu is named by the button that opened it.
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
