import { type DeviceFacts, deviceFromHeaders } from "@slipway/installers";
import type { InstallableApp } from "@/lib/features/releases/schema";
import type { SearchParams } from "@/lib/kernel/navigation/search-params";
import type { BuildsView } from "./app-builds";
import { seenUntil } from "./last-visit";
import { systemOf } from "./system";

/**
 * How builds are shown to a browser: for the operating system in the page's query, by default for the device's own.
 *
 * @param headers of the request
 * @param visits the value of the cookie of the visits
 */
export function buildsView(
  query: SearchParams,
  headers: { get(name: string): string | null },
  visits: string | undefined,
): BuildsView {
  const device = deviceFromHeaders(headers);
  const { platform } = query;
  const system = platform === "ios" || platform === "android" ? platform : platform === "all" ? null : systemOf(device);
  return { device, system, seen: seenUntil(visits, Date.now()) };
}

/** Whether a release is for the iPhones and iPads that its profile lists, and the device is one that it can list. */
export function needsRegistration(items: readonly InstallableApp[], { os }: Pick<DeviceFacts, "os">): boolean {
  if (os !== "ios" && os !== "ipados") return false;
  return items.some(({ releases }) =>
    releases.some(({ installer }) => installer.kind === "ipa" && installer.deviceCount !== null),
  );
}
