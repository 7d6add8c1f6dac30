import type { DeviceFacts } from "@slipway/installers";

/** An operating system that installs releases. */
export type System = "ios" | "android";

/** The operating system of a device; null for a computer, which installs none. */
export function systemOf({ os }: Pick<DeviceFacts, "os">): System | null {
  if (os === "desktop") return null;
  return os === "android" ? "android" : "ios";
}
