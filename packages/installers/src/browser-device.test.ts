import { describe, expect, it } from "vitest";
import { androidVersionOf, apiLevelOf } from "./android-versions";
import { deviceOf } from "./browser-device";

const IPHONE =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1";
const IPHONE_26 =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.1 Mobile/15E148 Safari/604.1";
const IPHONE_WEB_VIEW =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 Instagram 300.0";
const IPHONE_CHROME =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/125.0 Mobile/15E148 Safari/604.1";
const OLD_IPAD =
  "Mozilla/5.0 (iPad; CPU OS 12_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/12.1.2 Mobile/15E148 Safari/604.1";
const MAC =
  "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Safari/605.1.15";
const PIXEL =
  "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/125.0.0.0 Mobile Safari/537.36";
const FIREFOX_ANDROID = "Mozilla/5.0 (Android 9; Mobile; rv:126.0) Gecko/126.0 Firefox/126.0";
const ANDROID_WEB_VIEW =
  "Mozilla/5.0 (Linux; Android 13; SM-S901B; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/125.0 Mobile Safari/537.36";
const WINDOWS =
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/125.0.0.0 Safari/537.36";

describe("deviceOf", () => {
  it("recognizes an iPhone and its version", () => {
    expect(deviceOf({ userAgent: IPHONE })).toEqual({ os: "ios", osVersion: "17.5.1", inAppBrowser: false });
  });

  it("uses Safari's version if the system does not report its own", () => {
    expect(deviceOf({ userAgent: IPHONE_26 }).osVersion).toBe("26.1");
  });

  it("distinguishes web views of apps from browsers", () => {
    expect(deviceOf({ userAgent: IPHONE_WEB_VIEW }).inAppBrowser).toBe(true);
    expect(deviceOf({ userAgent: IPHONE_CHROME }).inAppBrowser).toBe(false);
    // Some apps name Safari beside themselves.
    expect(deviceOf({ userAgent: `${IPHONE} Line/14.1.0` }).inAppBrowser).toBe(true);
    expect(deviceOf({ userAgent: ANDROID_WEB_VIEW })).toEqual({ os: "android", osVersion: "33", inAppBrowser: true });
  });

  it("recognizes an iPad, even if it identifies itself as a Mac", () => {
    expect(deviceOf({ userAgent: OLD_IPAD })).toEqual({ os: "ipados", osVersion: "12.5", inAppBrowser: false });
    expect(deviceOf({ userAgent: MAC, platform: "MacIntel", maxTouchPoints: 5 })).toEqual({
      os: "ipados",
      osVersion: "17.5",
      inAppBrowser: false,
    });
  });

  it("recognizes a Mac by its missing touch screen, which the server does not know", () => {
    expect(deviceOf({ userAgent: MAC, platform: "MacIntel", maxTouchPoints: 0 }).os).toBe("desktop");
    expect(deviceOf({ userAgent: MAC }).os).toBe("desktop");
  });

  it("ignores the Android version that every Chrome reports", () => {
    expect(deviceOf({ userAgent: PIXEL })).toEqual({ os: "android", osVersion: null, inAppBrowser: false });
    expect(deviceOf({ userAgent: PIXEL, platformVersion: "14.0.0" }).osVersion).toBe("34");
  });

  it("reads the version from the client hints", () => {
    expect(deviceOf({ userAgent: FIREFOX_ANDROID }).osVersion).toBe("28");
  });

  it("treats everything else as a desktop, even with a touch screen", () => {
    expect(deviceOf({ userAgent: WINDOWS, platform: "Win32", maxTouchPoints: 10 }).os).toBe("desktop");
    expect(deviceOf({ userAgent: "" }).os).toBe("desktop");
  });
});

describe("Android versions", () => {
  it("are known by API level", () => {
    expect([21, 27, 32, 34, 99].map(androidVersionOf)).toEqual(["5.0", "8.1", "12L", "14", null]);
  });

  it("map to API levels, regardless of their precision", () => {
    expect(["5.1.1", "8.0.0", "9", "9.0.0", "10", "12", "12.1.0", "13.0.0", "16"].map(apiLevelOf)).toEqual([
      22, 26, 28, 28, 29, 31, 32, 33, 36,
    ]);
    expect(apiLevelOf("99")).toBeNull();
    expect(apiLevelOf("nonsense")).toBeNull();
  });
});
