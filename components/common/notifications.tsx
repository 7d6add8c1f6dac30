"use client";

import { type ComponentType, useEffect, useState } from "react";
import { hasNotifications, onNotification } from "@/lib/client/notify";

/** The latest moment at which the library is loaded on a busy page. */
const IDLE_TIMEOUT_MS = 5000;

/**
 * The place where `notify` shows its notifications; one for the whole document. The library is loaded when the page is
 * idle, so that it is there when the connection is lost, and not with the page.
 */
export function Notifications() {
  const [loaded, setLoaded] = useState<{ Toaster: ComponentType } | null>(null);

  useEffect(() => {
    const load = () => void import("./toaster").then(setLoaded, () => {});
    if (hasNotifications()) load();
    const stopListening = onNotification(load);
    // After a lost connection, it is loaded as soon as it can be.
    window.addEventListener("online", load);
    // Safari has no requestIdleCallback.
    const hasIdle = "requestIdleCallback" in window;
    const idle = hasIdle ? requestIdleCallback(load, { timeout: IDLE_TIMEOUT_MS }) : setTimeout(load, IDLE_TIMEOUT_MS);
    return () => {
      stopListening();
      window.removeEventListener("online", load);
      if (hasIdle) cancelIdleCallback(idle as number);
      else clearTimeout(idle);
    };
  }, []);

  return loaded && <loaded.Toaster />;
}
