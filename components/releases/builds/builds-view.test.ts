import { DESKTOP } from "@slipway/installers";
import { describe, expect, it } from "vitest";
import type { InstallableApp } from "@/lib/features/releases/schema";
import { needsRegistration } from "./builds-view";

const app = (...installers: object[]) =>
  ({ releases: installers.map((installer) => ({ installer })) }) as InstallableApp;
const listed = app({ kind: "apk" }, { kind: "ipa", deviceCount: 3 });

describe("registration of a device", () => {
  it("is needed where a profile lists devices, on an iPhone or iPad", () => {
    expect(needsRegistration([app(), listed], { ...DESKTOP, os: "ios" })).toBe(true);
    expect(needsRegistration([listed], { ...DESKTOP, os: "ipados" })).toBe(true);
  });

  it("is not needed elsewhere, nor for profiles that list none and files of Android", () => {
    for (const os of ["android", "desktop"] as const)
      expect(needsRegistration([listed], { ...DESKTOP, os })).toBe(false);
    const others = [app({ kind: "apk" }), app({ kind: "ipa", deviceCount: null })];
    expect(needsRegistration(others, { ...DESKTOP, os: "ios" })).toBe(false);
  });
});
