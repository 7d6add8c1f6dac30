"use client";

import { lazy, Suspense, useEffect, useState } from "react";
import { hasNotifications, onNotification } from "@/lib/client/notify";

// The library comes with the first notification, not with the page.
const Toaster = lazy(() => import("./toaster").then((module) => ({ default: module.Toaster })));

/** The place where `notify` shows its notifications; one for the whole document. */
export function Notifications() {
  const [wanted, setWanted] = useState(false);

  useEffect(() => {
    if (hasNotifications()) setWanted(true);
    return onNotification(() => setWanted(true));
  }, []);

  return wanted ? (
    <Suspense>
      <Toaster />
    </Suspense>
  ) : null;
}
