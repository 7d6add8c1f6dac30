"use client";

import { useSyncExternalStore } from "react";
import type { BrowserDevice } from "@/lib/features/releases/installability";
import { deviceOf } from "./device";

/** The User-Agent Client Hints, as far as they are needed; not every browser has them. */
type HintingNavigator = Navigator & {
  userAgentData?: { getHighEntropyValues(hints: string[]): Promise<{ platformVersion?: string }> };
};

let known: BrowserDevice | null = null;
let platformVersion: string | undefined;
let asked = false;
const listeners = new Set<() => void>();

/** The device that this page is open on, as far as the browser has told by now. */
export function currentDevice(): BrowserDevice {
  const { userAgent, platform, maxTouchPoints } = navigator;
  known ??= deviceOf({ userAgent, platform, maxTouchPoints, platformVersion });
  return known;
}

async function askForVersion(): Promise<void> {
  if (asked) return;
  asked = true;
  try {
    const hints = await (navigator as HintingNavigator).userAgentData?.getHighEntropyValues(["platformVersion"]);
    platformVersion = hints?.platformVersion;
  } catch {
    // Browsers may keep it to themselves.
  }
  if (platformVersion === undefined) return;
  known = null;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  void askForVersion();
  return () => listeners.delete(listener);
}

/**
 * The device that the page is open on.
 *
 * @param rendered what the server took it for, by the User-Agent alone
 */
export function useDevice(rendered: BrowserDevice): BrowserDevice {
  return useSyncExternalStore(subscribe, currentDevice, () => rendered);
}
