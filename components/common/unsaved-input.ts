"use client";

import { useEffect } from "react";

let dirtyForms = 0;

/**
 * Returns whether a form of the page contains input that was not sent. Whatever would replace the page by itself, such as
 * the end of the session, must wait for the user then.
 */
export function hasUnsavedInput(): boolean {
  return dirtyForms > 0;
}

/** Tells the page that a form contains input that was not sent. The browser asks before the page is closed or reloaded. */
export function useUnsavedInput(dirty: boolean): void {
  useEffect(() => {
    if (!dirty) return;
    const preventUnload = (event: BeforeUnloadEvent) => event.preventDefault();
    dirtyForms += 1;
    window.addEventListener("beforeunload", preventUnload);
    return () => {
      dirtyForms -= 1;
      window.removeEventListener("beforeunload", preventUnload);
    };
  }, [dirty]);
}
