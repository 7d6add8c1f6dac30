"use client";

import { usePathname, useSearchParams } from "next/navigation";
import { useEffect } from "react";
import { Store, useStore } from "@/components/common/store";
import type { PagePath } from "@/lib/kernel/navigation/pages";

/** Where a page belongs whose URL does not say so. */
type Place = { appId: string; path: PagePath };

const current = new Store<Place | null>(null);

/** Tells the shell where the page belongs: to an application, and in the navigation to another page. */
export function PagePlace({ appId, path }: Place) {
  useEffect(() => {
    current.set({ appId, path });
    return () => current.set(null);
  }, [appId, path]);
  return null;
}

/** The application and the path by which the shell shows where the user is. */
export function usePagePlace(): { appId: string | null; path: string } {
  const pathname = usePathname();
  const appId = useSearchParams().get("app");
  return useStore(current, (place) => place) ?? { appId, path: pathname };
}
