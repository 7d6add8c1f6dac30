"use client";

import { useEffect, useState } from "react";
import { usePagePlace } from "./page-place";
import type { ShellApp, ShellApps } from "./types";

/** What the address of a page can name as an application. */
const ID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** The application that the page belongs to; null if it belongs to none, or while one that is not listed is loaded. */
export function useCurrentApp({ apps, load }: Pick<ShellApps, "apps" | "load">): ShellApp | null {
  const { appId } = usePagePlace();
  const [loaded, setLoaded] = useState<ShellApp | null>(null);
  const listed = apps.find(({ id }) => id === appId);
  const missing = listed || loaded?.id === appId ? null : appId;

  useEffect(() => {
    if (missing === null || !ID.test(missing)) return;
    let unwanted = false;
    load(missing).then(
      (app) => {
        if (!unwanted) setLoaded(app);
      },
      // The page itself says why it cannot be shown.
      () => undefined,
    );
    return () => {
      unwanted = true;
    };
  }, [missing, load]);

  if (listed) return listed;
  return loaded?.id === appId ? loaded : null;
}
