"use client";

import { usePathname, useSearchParams } from "next/navigation";
import { useEffect } from "react";
import { Store, useStore } from "@/components/common/store";
import type { PagePath } from "@/lib/kernel/navigation/pages";

/** The place of a page in the navigation, if its URL does not contain it. */
type Place = { appId: string; environmentId?: string; path: PagePath };

const current = new Store<Place | null>(null);

/** Tells the shell where the page belongs: to an application or environment, and in the navigation to another page. */
export function PagePlace({ appId, environmentId, path }: Place) {
  useEffect(() => {
    current.set({ appId, environmentId, path });
    return () => current.set(null);
  }, [appId, environmentId, path]);
  return null;
}

/** Where the shell shows the user to be. */
export type ShownPlace = { appId: string | null; environmentId: string | null; path: string };

/** The application, the environment and the path by which the shell shows where the user is. */
export function usePagePlace(): ShownPlace {
  const path = usePathname();
  const query = useSearchParams();
  const place = useStore(current, (stored) => stored);
  if (place) return { appId: place.appId, environmentId: place.environmentId ?? null, path: place.path };
  return { appId: query.get("app"), environmentId: query.get("environment"), path };
}

/** The place of the target of a link, shown while its page is loading. */
export function placeOfHref(href: string): ShownPlace {
  const { pathname, searchParams } = new URL(href, "https://console.invalid");
  return { appId: searchParams.get("app"), environmentId: searchParams.get("environment"), path: pathname };
}
