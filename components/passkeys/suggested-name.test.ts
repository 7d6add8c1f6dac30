import { describe, expect, it } from "vitest";
import { deviceNames } from "./suggested-name";

const named = (userAgent: string, maxTouchPoints = 0) => deviceNames({ userAgent, maxTouchPoints });

describe("the suggested name of a passkey", () => {
  it.each([
    [
      "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36",
      { browser: "Chrome", device: "Mac" },
    ],
    [
      "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36 Edg/141.0.0.0",
      { browser: "Edge", device: "Windows" },
    ],
    [
      "Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Mobile/15E148 Safari/604.1",
      { browser: "Safari", device: "iPhone" },
    ],
    [
      "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/28.0 Chrome/130.0.0.0 Mobile Safari/537.36",
      { browser: "Samsung Internet", device: "Android" },
    ],
    ["Mozilla/5.0 (X11; Linux x86_64; rv:144.0) Gecko/20100101 Firefox/144.0", { browser: "Firefox", device: "Linux" }],
  ])("is of the browser and the device: %s", (userAgent, names) => {
    expect(named(userAgent)).toEqual(names);
  });

  it("recognizes an iPad that identifies itself as a Mac by its touch screen", () => {
    const safari =
      "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Safari/605.1.15";
    expect(named(safari, 5)).toEqual({ browser: "Safari", device: "iPad" });
    expect(named(safari)).toEqual({ browser: "Safari", device: "Mac" });
  });

  it("is empty if the browser and device are unknown", () => {
    expect(named("")).toBeNull();
    expect(named("curl/8.0")).toBeNull();
  });
});
