"use client";

import { type DeviceFacts, deviceFromBrowser } from "@slipway/installers";
import { useSyncExternalStore } from "react";

/** The part of the User-Agent Client Hints that is needed; not every browser supports them. */
type HintingNavigator = Navigator & {
  userAgentData?: { getHighEntropyValues(hints: string[]): Promise<{ platformVersion?: string }> };
};

let known: DeviceFacts | null = null;
let platformVersion: string | undefined;
let asking: Promise<void> | undefined;
const listeners = new Set<() => void>();

/** The device of this page, as far as it is known now. */
function currentDevice(): DeviceFacts {
  const { userAgent, platform, maxTouchPoints } = navigator;
  known ??= deviceFromBrowser({ userAgent, platform, maxTouchPoints, platformVersion });
  return known;
}

function askForVersion(): Promise<void> {
  asking ??= readVersion();
  return asking;
}

async function readVersion(): Promise<void> {
  try {
    const hints = await (navigator as HintingNavigator).userAgentData?.getHighEntropyValues(["platformVersion"]);
    platformVersion = hints?.platformVersion;
  } catch {
    // Browsers may refuse to tell.
  }
  if (platformVersion === undefined) return;
  known = null;
  for (const listener of listeners) listener();
}

/** The device of this page, once the browser has told its version. */
export async function deviceWithVersion(): Promise<DeviceFacts> {
  await askForVersion();
  return currentDevice();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  void askForVersion();
  return () => listeners.delete(listener);
}

/**
 * The device of this page.
 *
 * @param rendered the device as detected by the server from the User-Agent alone
 */
export function useDevice(rendered: DeviceFacts): DeviceFacts {
  return useSyncExternalStore(subscribe, currentDevice, () => rendered);
}
