import { deviceFromBrowser, reportedVersion } from "@slipway/installers";
import { expect, it } from "vitest";
import { openedDevice } from "./opened-device";

const IPHONE =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1";
const IPAD =
  "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Safari/605.1.15";
const ANDROID =
  "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Mobile Safari/537.36";

it.each([
  ["an iPhone", { userAgent: IPHONE }, "iPhone (iOS 18.1)"],
  ["an iPad", { userAgent: IPAD, platform: "MacIntel", maxTouchPoints: 5 }, "iPad (iPadOS 18.1)"],
  ["a Mac", { userAgent: IPAD, platform: "MacIntel" }, "Computer"],
  ["Android with its version", { userAgent: ANDROID, platformVersion: "15.0.0" }, "Android 15"],
  ["Android that does not tell its version", { userAgent: ANDROID }, "Android"],
] as const)("%s is named as far as its browser tells", (_device, facts, name) => {
  const device = deviceFromBrowser(facts);
  expect(openedDevice({ device: device.os, osVersion: reportedVersion(device) }, "Computer")).toBe(name);
});
