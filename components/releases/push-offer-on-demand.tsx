"use client";

import { type ComponentProps, type ComponentType, useEffect, useState } from "react";
import { isPushDeclined } from "@/components/common/push/declined";
import { query } from "@/lib/client/client";
import { pushSupport } from "@/lib/client/push/browser-push";
import { whenIdle } from "@/lib/client/when-idle";
import { clearIcon } from "@/lib/client/worker/notifications";
import type { PushOffer as Offer } from "./push-offer";

type Loaded = {
  Offer: ComponentType<ComponentProps<typeof Offer>>;
  settings: ComponentProps<typeof Offer>["settings"];
};

/** The offer, if there is something to offer: the user is in a group of testers, and has not answered in this browser. */
async function load(signal: AbortSignal): Promise<Loaded | null> {
  if (isPushDeclined() || ("Notification" in window && Notification.permission === "denied")) return null;
  const { PushOffer } = await import("./push-offer");
  const settings = await query("testers/get-notification-settings", {}, { signal });
  return settings.groups.length > 0 && settings.push ? { Offer: PushOffer, settings } : null;
}

/** Offers notifications of new releases when the page is idle, and removes the number from the icon of the installed app. */
export function PushOfferOnDemand() {
  const [loaded, setLoaded] = useState<Loaded | null>(null);
  useEffect(() => {
    const leaving = new AbortController();
    void clearIcon().catch(() => {});
    const cancel = whenIdle(() => {
      if (pushSupport() !== "unsupported") load(leaving.signal).then(setLoaded, () => {});
    });
    return () => {
      cancel();
      leaving.abort();
    };
  }, []);
  return loaded && <loaded.Offer settings={loaded.settings} />;
}
