"use client";

import { useRouter } from "next/navigation";
import { useTimeZone } from "next-intl";
import { useEffect, useRef } from "react";
import { setCookie } from "@/components/common/set-cookie";
import { TIME_ZONE_COOKIE } from "@/lib/kernel/i18n/locales";

/** Sends the browser's time zone to the server once, so that dates that are rendered there use the user's time zone. */
export function TimeZoneSync() {
  const rendered = useTimeZone();
  const router = useRouter();
  const requested = useRef(false);

  useEffect(() => {
    const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
    if (!timeZone || timeZone === rendered || requested.current) return;
    // Only once: if cookies are blocked or the server does not know the zone, the page would reload endlessly.
    requested.current = true;
    if (setCookie(TIME_ZONE_COOKIE, timeZone)) router.refresh();
  }, [rendered, router]);

  return null;
}
