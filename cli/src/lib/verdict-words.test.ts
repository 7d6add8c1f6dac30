import { deviceFromText, type Reason, type ReasonCode } from "@slipway/installers";
import { expect, test } from "vitest";
import en from "@/messages/en.json";
import { deviceName, wordsOf } from "./verdict-words";

const NOW = new Date("2026-11-20T12:00:00Z");
const reason = (code: ReasonCode, params: Reason["params"] = {}, severity: Reason["severity"] = "blocks"): Reason => ({
  code,
  severity,
  params,
});

test("a reason has the words of the console: one title, one cause and the next step", () => {
  const { title, detail, step } = en.install.reasons.device_not_registered;
  expect(wordsOf(reason("device_not_registered", { count: 12 }), "ipa", NOW)).toEqual({ title, detail, steps: [step] });
  expect(wordsOf(reason("device_registered", {}, "note"), "ipa", NOW).steps).toEqual([]);
});

test("what is not known is said as such", () => {
  const { title, detail } = wordsOf(reason("system_too_old", { needed: "35" }, "unknown"), "apk", NOW);
  expect(title).toBe(en.install.reasons.system_unknown.title);
  expect(detail).toContain("Android 15");
});

test("values are in the words, with their plurals", () => {
  const { detail } = wordsOf(reason("profile_ends_soon", { at: "2026-11-21T13:00:00Z" }, "note"), "ipa", NOW);
  expect(detail).toContain("in 1 day.");
});

test.each([
  ["iPhone15,2 18.1", "iPhone (iPhone15,2), version 18.1"],
  ["ipad", "iPad"],
  ["android 99", "Android, API 99"],
  ["android 14", "Android 14 (API 34)"],
  ["android", "Android"],
  ["Pixel 9", "Pixel 9"],
  ["Pixel 9 Pro XL android 16", "Pixel 9 Pro XL, Android 16 (API 36)"],
  ["desktop", "Computer"],
])("the device %s is called %s", (text, name) => {
  const read = deviceFromText(text);
  expect("device" in read && deviceName(read.device)).toBe(name);
});
