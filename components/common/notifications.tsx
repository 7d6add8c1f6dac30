"use client";

import { lazy, Suspense, useEffect, useState } from "react";
import { hasNotifications, onNotification } from "@/lib/client/notify";

// The library is loaded with the first notification, not with the page.
const Toaster = lazy(() => import("./toaster").then((module) => ({ default: module.Toaster })));

/** The place where `notify` shows its notifications; one for the whole document. */
export function Notifications() {
  const [needed, setNeeded] = useState(false);

  useEffect(() => {
    if (hasNotifications()) setNeeded(true);
    return onNotification(() => setNeeded(true));
  }, []);

  return needed ? (
    <Suspense>
      <Toaster />
    </Suspense>
  ) : null;
}
