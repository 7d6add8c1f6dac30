import { apiLevelOf } from "./android-versions";
import { compareVersions, type Device } from "./installability";

/** A device with the browser that shows the page. */
export interface BrowserDevice extends Device {
  /** The page is shown by another app's browser, which may not be allowed to install apps. */
  inAppBrowser: boolean;
}

/** What a browser reports about its device. */
export interface BrowserFacts {
  userAgent: string;
  /** `navigator.platform`. */
  platform?: string;
  /** `navigator.maxTouchPoints`; 0 on every Mac. */
  maxTouchPoints?: number;
  /** The system's version from the User-Agent Client Hints, if the browser supports them. */
  platformVersion?: string;
}

/** A computer; also used if nothing is known about the device. */
export const DESKTOP: BrowserDevice = { os: "desktop", osVersion: null, inAppBrowser: false };

/** Browsers of apps that name themselves like Safari, by the app's part of the User-Agent. */
const IN_APP =
  /\b(?:FBAN|FBAV|FB_IAB|Instagram|Line\/|MicroMessenger|Twitter|LinkedInApp|Snapchat|Pinterest|BytedanceWebview|musical_ly|Slack)/i;

function later(a: string | null, b: string | null): string | null {
  if (a === null || b === null) return a ?? b;
  return compareVersions(a, b) >= 0 ? a : b;
}

/**
 * Detects the device of a page. The server only has the User-Agent, with which an iPad identifies itself as a Mac; in
 * the browser, the touch screen distinguishes them.
 */
export function deviceOf({ userAgent, platform, maxTouchPoints = 0, platformVersion }: BrowserFacts): BrowserDevice {
  const phone = /\b(iPhone|iPod|iPad)\b/.exec(userAgent)?.[1];
  const iPadAsMac = !phone && /\bMacintosh\b/.test(userAgent) && platform === "MacIntel" && maxTouchPoints > 1;
  if (phone || iPadAsMac) {
    const system = phone ? (/\bOS (\d+(?:_\d+)*)/.exec(userAgent)?.[1]?.replaceAll("_", ".") ?? null) : null;
    // Newer systems no longer report their version. Safari does, with the system's number.
    const safari = /\bVersion\/(\d+(?:\.\d+)*)/.exec(userAgent)?.[1] ?? null;
    return {
      os: phone === "iPad" || iPadAsMac ? "ipados" : "ios",
      osVersion: later(system, safari),
      // Safari and the other browsers contain "Safari"; web views of apps do not.
      inAppBrowser: !/\bSafari\//.test(userAgent) || IN_APP.test(userAgent),
    };
  }
  if (/\bAndroid\b/.test(userAgent)) {
    return {
      os: "android",
      osVersion: androidLevel(userAgent, platformVersion),
      // The marker of a WebView, which does not download files by itself.
      inAppBrowser: /;\s*wv\)/.test(userAgent) || IN_APP.test(userAgent),
    };
  }
  return DESKTOP;
}

function androidLevel(userAgent: string, platformVersion: string | undefined): string | null {
  const named = /\bAndroid (\d+(?:\.\d+)*)/.exec(userAgent)?.[1];
  // Chrome reports "Android 10; K" on every device (User-Agent reduction). The client hints contain the real version.
  const version = platformVersion || (/\bAndroid 10; K\b/.test(userAgent) ? undefined : named);
  const level = version === undefined ? null : apiLevelOf(version);
  return level === null ? null : String(level);
}
