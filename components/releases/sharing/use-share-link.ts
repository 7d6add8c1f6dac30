"use client";

import { useSyncExternalStore } from "react";
import { shareLink } from "./share-link";

const subscribe = () => () => undefined;

/**
 * The URL of a release's page for other people.
 *
 * @param installUrl the URL according to the console's settings
 */
export function useShareLink(installUrl: string): string {
  return useSyncExternalStore(
    subscribe,
    () => shareLink(installUrl, window.location.origin),
    () => installUrl,
  );
}

/** Whether the device has a share sheet for links. */
export function useNativeShare(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => typeof navigator.share === "function" && window.matchMedia("(pointer: coarse)").matches,
    () => false,
  );
}
