import { openedDevice } from "@/components/common/releases/opened-device";
import type { Device } from "@/lib/features/devices/schema";

/**
 * The system of a device: "iPhone (iOS 18.1)", "Android 15". Only "iOS" if nothing but the UDID is known, because
 * Apple's file of devices does not distinguish iPhones from iPads.
 * @param computer the word in the user's language
 */
export function deviceSystem({ os, osVersion, model }: Pick<Device, "os" | "osVersion" | "model">, computer: string) {
  if (os === "ios" && osVersion === null && model === null) return "iOS";
  return openedDevice({ device: os, osVersion }, computer);
}
