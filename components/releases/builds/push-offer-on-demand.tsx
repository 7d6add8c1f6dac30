"use client";

import { type ComponentType, useEffect, useState } from "react";
import { isPushDeclined } from "@/components/common/push/declined";
import { pushSupport } from "@/lib/client/push/browser-push";
import { whenIdle } from "@/lib/client/when-idle";
import { clearIcon } from "@/lib/client/worker/notifications";
import type { NotificationSettings } from "@/lib/features/testers/schema";

type OfferProps = { settings: NotificationSettings };

/** Whether this browser can be asked: it was not answered in it, and it does not refuse notifications. */
function isOpen(): boolean {
  if (isPushDeclined() || pushSupport() === "unsupported") return false;
  return !("Notification" in window) || Notification.permission !== "denied";
}

/**
 * Offers notifications of new releases when the page is idle, and removes the number from the icon of the installed app.
 * @param settings null for a user who is told of nothing
 */
export function PushOfferOnDemand({ settings }: { settings: NotificationSettings | null }) {
  const [Offer, setOffer] = useState<ComponentType<OfferProps> | null>(null);
  const isOffered = settings !== null;
  useEffect(() => {
    void clearIcon().catch(() => {});
    if (!isOffered) return;
    let left = false;
    const cancel = whenIdle(() => {
      if (!isOpen()) return;
      import("./push-offer").then(
        ({ PushOffer }) => {
          if (!left) setOffer(() => PushOffer);
        },
        () => {},
      );
    });
    return () => {
      left = true;
      cancel();
    };
  }, [isOffered]);
  return settings && Offer && <Offer settings={settings} />;
}
