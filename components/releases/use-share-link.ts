"use client";

import { useSyncExternalStore } from "react";
import { shareLink } from "./share-link";

const subscribe = () => () => undefined;

/**
 * The address of a release's page for other people.
 *
 * @param installUrl the address by the console's settings
 */
export function useShareLink(installUrl: string): string {
  return useSyncExternalStore(
    subscribe,
    () => shareLink(installUrl, window.location.origin),
    () => installUrl,
  );
}

/** Whether the device has a way of its own to share links. */
export function useNativeShare(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => typeof navigator.share === "function" && window.matchMedia("(pointer: coarse)").matches,
    () => false,
  );
}
