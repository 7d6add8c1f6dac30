import { androidVersionOf } from "@slipway/installers";
import type { ReleaseOpening } from "@/lib/features/releases/schema";

/**
 * The device of an opening as far as its browser tells it: "iPhone (iOS 18.1)", "Android 15". No browser tells the model.
 * @param computer the word in the user's language
 */
export function openedDevice(
  { device, osVersion }: Pick<ReleaseOpening, "device" | "osVersion">,
  computer: string,
): string {
  if (device === "desktop") return computer;
  if (device === "android") {
    const version = osVersion === null ? null : androidVersionOf(Number(osVersion));
    return version === null ? "Android" : `Android ${version}`;
  }
  const [name, system] = device === "ios" ? ["iPhone", "iOS"] : ["iPad", "iPadOS"];
  return osVersion === null ? name : `${name} (${system} ${osVersion})`;
}
