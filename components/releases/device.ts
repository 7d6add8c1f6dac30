import { compareVersions } from "@slipway/installers";
import type { BrowserDevice } from "@/lib/features/releases/installability";
import { apiLevelOf } from "./android-versions";

/** What a browser tells about the device that it runs on. */
export interface BrowserFacts {
  userAgent: string;
  /** `navigator.platform`. */
  platform?: string;
  /** `navigator.maxTouchPoints`; 0 on every Mac. */
  maxTouchPoints?: number;
  /** The system's version by the User-Agent Client Hints, where the browser has them. */
  platformVersion?: string;
}

/** A computer, where nothing is known of it. */
export const DESKTOP: BrowserDevice = { os: "desktop", osVersion: null, inAppBrowser: false };

function later(a: string | null, b: string | null): string | null {
  if (a === null || b === null) return a ?? b;
  return compareVersions(a, b) >= 0 ? a : b;
}

/**
 * Recognises the device behind a page. The server knows the User-Agent alone, with which an iPad passes for a Mac; in
 * the browser, its touch screen gives it away.
 */
export function deviceOf({ userAgent, platform, maxTouchPoints = 0, platformVersion }: BrowserFacts): BrowserDevice {
  const phone = /\b(iPhone|iPod|iPad)\b/.exec(userAgent)?.[1];
  const disguisedPad = !phone && /\bMacintosh\b/.test(userAgent) && platform === "MacIntel" && maxTouchPoints > 1;
  if (phone || disguisedPad) {
    const system = phone ? (/\bOS (\d+(?:_\d+)*)/.exec(userAgent)?.[1]?.replaceAll("_", ".") ?? null) : null;
    // Newer systems no longer tell their version; their Safari does, and has the system's number.
    const safari = /\bVersion\/(\d+(?:\.\d+)*)/.exec(userAgent)?.[1] ?? null;
    return {
      os: phone === "iPad" || disguisedPad ? "ipados" : "ios",
      osVersion: later(system, safari),
      // Safari and the other browsers name Safari; the views within apps do not.
      inAppBrowser: !/\bSafari\//.test(userAgent),
    };
  }
  if (/\bAndroid\b/.test(userAgent)) {
    return {
      os: "android",
      osVersion: androidLevel(userAgent, platformVersion),
      // The mark of a WebView, which downloads nothing by itself.
      inAppBrowser: /;\s*wv\)/.test(userAgent),
    };
  }
  return DESKTOP;
}

function androidLevel(userAgent: string, platformVersion: string | undefined): string | null {
  const named = /\bAndroid (\d+(?:\.\d+)*)/.exec(userAgent)?.[1];
  // Chrome says "Android 10; K" on every device (User-Agent reduction); the hints are truthful.
  const told = platformVersion || (/\bAndroid 10; K\b/.test(userAgent) ? undefined : named);
  const level = told === undefined ? null : apiLevelOf(told);
  return level === null ? null : String(level);
}
