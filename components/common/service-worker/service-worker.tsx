"use client";

import { type ComponentType, useEffect, useState } from "react";
import { whenIdle } from "@/lib/client/when-idle";

/** Installs the service worker when the page is idle, and asks before a new version is used. */
export function ServiceWorker() {
  const [loaded, setLoaded] = useState<{ UpdatePrompt: ComponentType } | null>(null);

  useEffect(() => {
    // Missing outside secure contexts.
    if (!("serviceWorker" in navigator)) return;
    return whenIdle(() => void import("./update-prompt").then(setLoaded, () => {}));
  }, []);

  return loaded && <loaded.UpdatePrompt />;
}
