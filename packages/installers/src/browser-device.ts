import type { Device } from "./installability";
import { type BrowserFacts, deviceFromBrowser } from "./verdict/device-facts";

/** A device with the browser that shows the page. */
export interface BrowserDevice extends Device {
  /** The page is shown by another app's browser, which may not be allowed to install apps. */
  inAppBrowser: boolean;
}

/** A computer; also used if nothing is known about the device. */
export const DESKTOP: BrowserDevice = { os: "desktop", osVersion: null, inAppBrowser: false };

/** The device of a page, see {@link deviceFromBrowser}. */
export function deviceOf(reported: BrowserFacts): BrowserDevice {
  const { os, osVersion, osVersionIsMinimum, browser } = deviceFromBrowser(reported);
  const isKnown = os === "ios" || os === "ipados" || !osVersionIsMinimum;
  return { os, osVersion: isKnown ? osVersion : null, inAppBrowser: browser === "in-app" };
}
