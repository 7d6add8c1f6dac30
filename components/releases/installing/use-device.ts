"use client";

import { type DeviceFacts, deviceFromBrowser } from "@slipway/installers";
import { useSyncExternalStore } from "react";
import { type DeviceHints, deviceHints } from "@/components/common/releases/device-hints";

let known: DeviceFacts | null = null;
let hints: DeviceHints | undefined;
let asking: Promise<void> | undefined;
const listeners = new Set<() => void>();

/** The device of this page, as far as it is known now. */
function currentDevice(): DeviceFacts {
  const { userAgent, platform, maxTouchPoints } = navigator;
  known ??= deviceFromBrowser({ userAgent, platform, maxTouchPoints, ...hints });
  return known;
}

function askForHints(): Promise<void> {
  asking ??= readHints();
  return asking;
}

async function readHints(): Promise<void> {
  hints = await deviceHints();
  if (hints === undefined) return;
  known = null;
  for (const listener of listeners) listener();
}

/** The device of this page, once the browser has told what it tells. */
export async function deviceWithHints(): Promise<DeviceFacts> {
  await askForHints();
  return currentDevice();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  void askForHints();
  return () => listeners.delete(listener);
}

/**
 * The device of this page.
 *
 * @param rendered the device as detected by the server from the headers of the request
 */
export function useDevice(rendered: DeviceFacts): DeviceFacts {
  return useSyncExternalStore(subscribe, currentDevice, () => rendered);
}
