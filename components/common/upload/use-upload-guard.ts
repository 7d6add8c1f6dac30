"use client";

import { useEffect } from "react";
import { updateLocalState } from "@/components/common/session/local-state";
import { notifyOtherTabs } from "@/components/common/session/session-channel";
import { useUnsavedWork } from "@/components/common/use-unsaved-work";
import { ApiCallError, command } from "@/lib/client/client";

const KEEP_ALIVE_MS = 5 * 60_000;

/** While files are uploaded, keeps the session alive and asks for confirmation before the page is closed. */
export function useUploadGuard(uploading: boolean): void {
  useUnsavedWork(uploading);

  useEffect(() => {
    if (!uploading) return;
    const interval = window.setInterval(() => void keepSessionAlive(), KEEP_ALIVE_MS);
    return () => window.clearInterval(interval);
  }, [uploading]);
}

/** The user does not have to interact with the page while a large file is being uploaded. */
async function keepSessionAlive(): Promise<void> {
  try {
    const { exp } = await command("auth/refresh", {});
    await updateLocalState({ exp });
    notifyOtherTabs({ type: "renewed", exp });
  } catch (error) {
    // An ended session is reported by the operation itself; other failures are retried next time.
    if (!(error instanceof ApiCallError)) throw error;
  }
}
