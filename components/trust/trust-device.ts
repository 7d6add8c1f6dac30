import type { TrustDevice } from "./trust-steps";

/** The kind of device that a browser is on. @param userAgent of the request */
export function trustDeviceOf(userAgent: string | null): TrustDevice {
  if (/\b(iPhone|iPad|iPod)\b/.test(userAgent ?? "")) return "ios";
  return /\bAndroid\b/.test(userAgent ?? "") ? "android" : "computer";
}
