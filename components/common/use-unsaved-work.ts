"use client";

import { useEffect } from "react";

/** Held by each tab that has unsaved work. */
const LOCK = "slipway-unsaved-work";

let isDiscarded = false;

/** Lets the page be left without the browser's question, because the user has chosen to discard the work. */
export function discardUnsavedWork(): void {
  isDiscarded = true;
}

/** Returns whether this tab or another one has unsaved work, such as an upload or a changed form. */
export async function hasUnsavedWork(): Promise<boolean> {
  const { held = [] } = await navigator.locks.query();
  return held.some(({ name }) => name === LOCK);
}

/**
 * While `unsaved` is true, the browser asks before it closes or reloads the page, and a new version of the console is not
 * applied.
 */
export function useUnsavedWork(unsaved: boolean): void {
  useEffect(() => {
    if (!unsaved) return;
    const preventUnload = (event: BeforeUnloadEvent) => {
      if (!isDiscarded) event.preventDefault();
    };
    window.addEventListener("beforeunload", preventUnload);
    const { promise: finished, resolve: finish } = Promise.withResolvers<void>();
    // Missing outside secure contexts, where there is no service worker either.
    void navigator.locks?.request(LOCK, { mode: "shared" }, () => finished);
    return () => {
      window.removeEventListener("beforeunload", preventUnload);
      finish();
    };
  }, [unsaved]);
}
