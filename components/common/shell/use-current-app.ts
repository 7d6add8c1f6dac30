"use client";

import { useEffect, useState } from "react";
import { usePagePlace } from "./page-place";
import type { ShellApp, ShellApps } from "./types";

/** What the address of a page can name as an application. */
const ID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

/**
 * The application that the page belongs to; null if it belongs to none, or while one that is not listed is loaded.
 * @param switcher null if there is none, and therefore no current application
 */
export function useCurrentApp(switcher: Pick<ShellApps, "apps" | "load"> | null): ShellApp | null {
  const { appId } = usePagePlace();
  const [loaded, setLoaded] = useState<ShellApp | null>(null);
  const listed = switcher?.apps.find(({ id }) => id === appId);
  const missing = listed || loaded?.id === appId ? null : appId;

  const load = switcher?.load;

  useEffect(() => {
    if (!load || missing === null || !ID.test(missing)) return;
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
