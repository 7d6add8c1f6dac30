"use client";

import { useRef } from "react";

/** Moves the focus to the content of the page. */
function focusMain(): void {
  document.querySelector("main")?.focus({ preventScroll: true });
}

/** Focuses an element. If it is removed while it has the focus, as by the refresh after a change, the content of the page gets it. */
function focusUntilRemoved(element: HTMLElement): void {
  element.focus({ preventScroll: true });
  const observer = new MutationObserver(() => {
    if (element.isConnected) return;
    observer.disconnect();
    if (document.activeElement === document.body) focusMain();
  });
  observer.observe(document.body, { childList: true, subtree: true });
  // Some browsers also report it just before the element is removed.
  const left = () => queueMicrotask(() => element.isConnected && observer.disconnect());
  element.addEventListener("focusout", left, { once: true });
}

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
      if (origin.current?.isConnected) focusUntilRemoved(origin.current);
      else focusMain();
    },
  };
}
