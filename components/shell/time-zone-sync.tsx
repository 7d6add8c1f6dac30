"use client";

import { useRouter } from "next/navigation";
import { useTimeZone } from "next-intl";
import { useEffect, useRef } from "react";
import { TIME_ZONE_COOKIE } from "@/lib/kernel/i18n/locales";
import { setCookie } from "../common/set-cookie";

/** Tells the server the browser's time zone, once, so that dates rendered there are in the reader's own time. */
export function TimeZoneSync() {
  const rendered = useTimeZone();
  const router = useRouter();
  const asked = useRef(false);

  useEffect(() => {
    const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
    if (!timeZone || timeZone === rendered || asked.current) return;
    // Once: where cookies are refused, or the server does not know the zone, the page would ask for itself for ever.
    asked.current = true;
    if (setCookie(TIME_ZONE_COOKIE, timeZone)) router.refresh();
  }, [rendered, router]);

  return null;
}
