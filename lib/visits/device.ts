import {
  type DeviceFacts,
  deviceFromHeaders,
  type Reason,
  type ReasonCode,
  reportedVersion,
} from "@slipway/installers";
import type { VisitDevice } from "./state";
import type { Visitor } from "./visitor";

/** The installer of iOS tells what the device is: "com.apple.appstored/1.0 iOS/17.5.1 model/iPhone15,2 hwp/t8120 build/21F90". */
const APPLE_INSTALLER = /\biOS\/(\d{1,2}(?:\.\d{1,2}){0,2}) model\/((?:iPhone|iPad|iPod)\d{1,2},\d{1,2})\b/;

/** The device that the installer of iOS tells; undefined if something else asks. */
export function installerDevice(userAgent: string | null): VisitDevice | undefined {
  const [, osVersion, model] = APPLE_INSTALLER.exec((userAgent ?? "").slice(0, 1_024)) ?? [];
  if (!osVersion || !model) return;
  return { os: model.startsWith("iPad") ? "ipados" : "ios", osVersion, model, isExact: true };
}

/**
 * The device of a page without scripts, as far as the headers tell. An iPad presents itself as a Mac in most browsers.
 * @param isIpad whether a browser that presents itself as a Mac is that of an iPad
 */
export function visitingDevice({ headers }: { headers: Headers }, isIpad = false): DeviceFacts {
  return deviceFromHeaders(headers, isIpad);
}

/**
 * A device as its browser tells it. Of somebody without an account, the model is left out: a text that anyone can make up would make
 * a row of counts of each.
 */
export function browserDevice(device: DeviceFacts, { kind }: Visitor): VisitDevice {
  return { os: device.os, osVersion: reportedVersion(device), model: kind === "user" ? device.model : null };
}

/** What is in the way of an installation, or has to be done for it. */
export function obstacles(reasons: readonly Reason[]): ReasonCode[] {
  return reasons.filter(({ severity }) => severity !== "note").map(({ code }) => code);
}
