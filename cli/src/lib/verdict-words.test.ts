import { deviceFromText, type Reason, type ReasonCode } from "@slipway/installers";
import { expect, test } from "vitest";
import { deviceName, wordsOf } from "./verdict-words";

const PHONE = { os: "ios" } as const;
const reason = (code: ReasonCode, params: Reason["params"] = {}, severity: Reason["severity"] = "blocks"): Reason => ({
  code,
  severity,
  params,
});

test("a reason is one title, one cause and one next step", () => {
  expect(wordsOf(reason("device_not_registered", { count: 12 }), PHONE)).toEqual({
    title: "The device is not in its profile",
    detail: "Only the devices of the profile (12) install the app.",
    steps: ["Register the device in the Apple Developer account, renew the profile and sign the app with it again."],
  });
  expect(wordsOf(reason("device_registered", {}, "note"), PHONE).steps).toEqual([]);
});

test("what is not known is said as such", () => {
  const tooOld = (params: Reason["params"], severity: Reason["severity"]) =>
    wordsOf(reason("system_too_old", params, severity), { os: "android" });
  expect(tooOld({ needed: "35", found: "34" }, "blocks")).toMatchObject({
    title: "The system is too old",
    detail: "It needs Android 15 (API level 35), and the device has Android 14 (API level 34).",
  });
  expect(tooOld({ needed: "35", found: "29" }, "unknown").title).toBe("The system may be too old");
  expect(tooOld({ needed: "99" }, "unknown")).toMatchObject({
    title: "The version of the system is not known",
    detail: "It needs API level 99.",
  });
});

test("trusting a developer restarts the device from iOS 18 on", () => {
  const detail = (restarts: string) => wordsOf(reason("enterprise_trust", { restarts }, "step"), PHONE).detail;
  expect(detail("yes")).toMatch(/Device Management, which restarts the device\.$/);
  expect(detail("no")).toMatch(/Device Management\.$/);
  expect(detail("unknown")).toMatch(/from iOS 18 on\.$/);
});

test.each([
  ["iPhone15,2 18.1", "iPhone (iPhone15,2), version 18.1"],
  ["ipad", "iPad"],
  ["android 99", "Android, API level 99"],
  ["desktop", "Computer"],
])("the device %s is called %s", (text, name) => {
  const read = deviceFromText(text);
  expect("device" in read && deviceName(read.device)).toBe(name);
});
