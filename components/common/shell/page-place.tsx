"use client";

import { usePathname, useSearchParams } from "next/navigation";
import { useEffect, useSyncExternalStore } from "react";
import type { PagePath } from "@/lib/kernel/navigation/pages";

/** Where a page belongs whose URL does not say so. */
type Place = { appId: string; path: PagePath };

let current: Place | null = null;
const listeners = new Set<() => void>();

function setCurrent(place: Place | null): void {
  current = place;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Tells the shell where the page belongs: to an application, and in the navigation to another page. */
export function PagePlace({ appId, path }: Place) {
  useEffect(() => {
    setCurrent({ appId, path });
    return () => setCurrent(null);
  }, [appId, path]);
  return null;
}

/** The application and the path by which the shell shows where the user is. */
export function usePagePlace(): { appId: string | null; path: string } {
  const pathname = usePathname();
  const appId = useSearchParams().get("app");
  const place = useSyncExternalStore(
    subscribe,
    () => current,
    () => null,
  );
  return place ?? { appId, path: pathname };
}
