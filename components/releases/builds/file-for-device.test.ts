import { DESKTOP } from "@slipway/installers";
import { describe, expect, it } from "vitest";
import type { Release } from "@/lib/features/releases/schema";
import { fileForDevice } from "./file-for-device";

const file = (kind: "ipa" | "apk" | "aab", universal: object | null = null) => ({
  id: kind,
  installer: { kind } as Release["installer"],
  universal: universal as Release["universal"],
});
const [ipa, apk, aab] = [file("ipa"), file("apk"), file("aab")];
const phone = (os: "ios" | "ipados" | "android") => ({ ...DESKTOP, os });

describe("the file that a link gives to a device", () => {
  it("is the build's file for the system of the phone, whichever file the link names", () => {
    for (const linked of [ipa, apk, aab]) {
      expect(fileForDevice(linked, [ipa, aab, apk], phone("android"))).toBe(apk);
      expect(fileForDevice(linked, [ipa, aab, apk], phone("ios"))).toBe(ipa);
      expect(fileForDevice(linked, [ipa, aab, apk], phone("ipados"))).toBe(ipa);
    }
  });

  it("is a bundle of which there is an APK, if the build has no other file for the phone", () => {
    const made = file("aab", { state: "ready" });
    expect(fileForDevice(ipa, [ipa, made], phone("android"))).toBe(made);
    expect(fileForDevice(ipa, [ipa, made, apk], phone("android"))).toBe(apk);
  });

  it("is the linked one on a computer, and where the build has none for the phone", () => {
    expect(fileForDevice(aab, [ipa, apk, aab], DESKTOP)).toBe(aab);
    expect(fileForDevice(ipa, [ipa], phone("android"))).toBe(ipa);
    expect(fileForDevice(aab, [ipa, aab], phone("android"))).toBe(aab);
  });
});
