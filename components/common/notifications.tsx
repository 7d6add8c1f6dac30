"use client";

import { type ComponentType, useEffect, useState } from "react";
import { hasNotifications, onNotification } from "@/lib/client/notify";
import { whenIdle } from "@/lib/client/when-idle";

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
    const cancel = whenIdle(load);
    return () => {
      stopListening();
      window.removeEventListener("online", load);
      cancel();
    };
  }, []);

  return loaded && <loaded.Toaster />;
}
