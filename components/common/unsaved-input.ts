"use client";

import { useEffect } from "react";
import { useUnsavedWork } from "./use-unsaved-work";

let dirtyForms = 0;

/**
 * Returns whether a form of the page contains input that was not sent. Whatever would replace the page by itself, such as
 * the end of the session, must wait for the user then.
 */
export function hasUnsavedInput(): boolean {
  return dirtyForms > 0;
}

/** Tells the page that a form contains input that was not sent, which is unsaved work (`useUnsavedWork`). */
export function useUnsavedInput(dirty: boolean): void {
  useUnsavedWork(dirty);
  useEffect(() => {
    if (!dirty) return;
    dirtyForms += 1;
    return () => {
      dirtyForms -= 1;
    };
  }, [dirty]);
}
