import type { BrowserFacts } from "@slipway/installers";

/** What the User-Agent Client Hints tell of a device, by the names that they have in scripts. */
export type DeviceHints = Pick<BrowserFacts, "platformVersion" | "model" | "architecture" | "bitness">;

/** Not every browser has the User-Agent Client Hints. */
type HintingNavigator = Navigator & {
  userAgentData?: { getHighEntropyValues(hints: string[]): Promise<DeviceHints> };
};

/** What this browser tells of its device; undefined if it does not. */
export async function deviceHints(): Promise<DeviceHints | undefined> {
  try {
    const wanted = ["platformVersion", "model", "architecture", "bitness"] satisfies (keyof DeviceHints)[];
    return await (navigator as HintingNavigator).userAgentData?.getHighEntropyValues(wanted);
  } catch {
    // Browsers may refuse to tell.
    return undefined;
  }
}
