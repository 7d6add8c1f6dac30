import { describe, expect, test } from "vitest";
import { processorTimeMs } from "../../testing/processor-time";
import {
  type BrowserFacts,
  deviceFromBrowser,
  deviceFromHeaders,
  deviceFromText,
  reportedVersion,
} from "./device-facts";
import type { DeviceFacts } from "./types";

const apple = (system: string, rest: string) =>
  `Mozilla/5.0 (${system}) AppleWebKit/605.1.15 (KHTML, like Gecko) ${rest}`;
const iPhone = (version: string, rest: string) => apple(`iPhone; CPU iPhone OS ${version} like Mac OS X`, rest);
const SAFARI = (version: string) => `Version/${version} Mobile/15E148 Safari/604.1`;
const CHROME = "CriOS/142.0.7444.46 Mobile/15E148 Safari/604.1";
const MAC = apple("Macintosh; Intel Mac OS X 10_15_7", "Version/17.5 Safari/605.1.15");
const TOUCH = { platform: "MacIntel", maxTouchPoints: 5 };
const android = (system: string, chrome: string, rest = "") =>
  `Mozilla/5.0 (Linux; ${system}) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${chrome} Mobile Safari/537.36${rest}`;

const NOTHING = {
  osVersion: null,
  osVersionIsMinimum: false,
  model: null,
  abis: [],
  browser: null,
  registered: null,
};

const BROWSERS: [string, BrowserFacts, Partial<DeviceFacts>][] = [
  ["Safari 17", { userAgent: iPhone("17_5_1", SAFARI("17.5")) }, { os: "ios", osVersion: "17.5.1", browser: "safari" }],
  ["Safari 18.6", { userAgent: iPhone("18_6", SAFARI("18.6")) }, { os: "ios", osVersion: "18.6", browser: "safari" }],
  ["Safari 26", { userAgent: iPhone("18_7", SAFARI("26.1")) }, { os: "ios", osVersion: "26.1", browser: "safari" }],
  [
    "the web view of an app on iOS 18.6 or later",
    { userAgent: iPhone("18_6", "Mobile/15E148 Instagram 400.0") },
    { os: "ios", osVersion: "18.6", osVersionIsMinimum: true, browser: "in-app" },
  ],
  [
    "the web view of an app before",
    { userAgent: iPhone("17_5", "Mobile/15E148") },
    { os: "ios", osVersion: "17.5", browser: "in-app" },
  ],
  [
    "Safari's name in the browser of an app",
    { userAgent: iPhone("17_5", `${SAFARI("17.5")} Line/14.1.0`) },
    { os: "ios", osVersion: "17.5", browser: "in-app" },
  ],
  ["Chrome on iOS", { userAgent: iPhone("17_5", CHROME) }, { os: "ios", osVersion: "17.5", browser: "chrome" }],
  [
    "Chrome on iOS 26, if it reports the system of Safari",
    { userAgent: iPhone("18_7", CHROME) },
    { os: "ios", osVersion: "18.7", osVersionIsMinimum: true, browser: "chrome" },
  ],
  [
    "an iPad",
    { userAgent: apple("iPad; CPU OS 12_5 like Mac OS X", SAFARI("12.1.2")) },
    { os: "ipados", osVersion: "12.5", browser: "safari" },
  ],
  [
    "an iPad that says it is a Mac",
    { userAgent: MAC, ...TOUCH },
    { os: "ipados", osVersion: "17.5", browser: "safari" },
  ],
  [
    "an iPad that says it is a Mac, in Chrome, whose Version is not the system's",
    { userAgent: apple("Macintosh; Intel Mac OS X 10_15_7", "CriOS/142 Version/11.1.1 Safari/605.1.15"), ...TOUCH },
    { os: "ipados", browser: "chrome" },
  ],
  ["a Mac", { userAgent: MAC, platform: "MacIntel", maxTouchPoints: 0 }, { os: "desktop", browser: "safari" }],
  ["a Mac or iPad, as a server sees it", { userAgent: MAC }, { os: "desktop", browser: "safari" }],
  [
    "Chrome 142 on Android, which needs Android 10 at least",
    { userAgent: android("Android 10; K", "142.0.0.0") },
    { os: "android", osVersion: "29", osVersionIsMinimum: true, browser: "chrome" },
  ],
  [
    "Chrome 125 on Android, which needs Android 8 at least",
    { userAgent: android("Android 10; K", "125.0.0.0") },
    { os: "android", osVersion: "26", osVersionIsMinimum: true, browser: "chrome" },
  ],
  [
    "Samsung's browser, which may need less than Chrome",
    { userAgent: android("Android 10; K", "142.0.0.0").replace("Mobile", "SamsungBrowser/29.0 Mobile") },
    { os: "android", browser: "other" },
  ],
  [
    "client hints",
    { userAgent: android("Android 10; K", "142.0.0.0"), platformVersion: "15.0.0", model: "Pixel 9" },
    { os: "android", osVersion: "35", model: "Pixel 9", abis: ["arm64-v8a"], browser: "chrome" },
  ],
  [
    "a version later than all that are known",
    { userAgent: android("Android 10; K", "142.0.0.0"), platformVersion: "99.0.0" },
    { os: "android", osVersion: "37", osVersionIsMinimum: true, browser: "chrome" },
  ],
  [
    "a WebView",
    { userAgent: android("Android 13; SM-S901B Build/TP1A; wv", "125.0") },
    { os: "android", osVersion: "33", model: "SM-S901B", browser: "in-app" },
  ],
  [
    "Firefox on Android 9",
    { userAgent: "Mozilla/5.0 (Android 9; Mobile; rv:126.0) Gecko/126.0 Firefox/126.0" },
    { os: "android", osVersion: "28", browser: "firefox" },
  ],
  [
    "Android 10 where it may be a later one",
    { userAgent: "Mozilla/5.0 (Android 10; Mobile; rv:145.0) Gecko/145.0 Firefox/145.0" },
    { os: "android", osVersion: "29", osVersionIsMinimum: true, browser: "firefox" },
  ],
  [
    "no version at all",
    { userAgent: "Mozilla/5.0 (Android; Mobile) Firefox/60.0" },
    { os: "android", browser: "firefox" },
  ],
  [
    "Windows with a touch screen",
    {
      userAgent: "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/142.0.0.0 Safari/537.36",
      platform: "Win32",
      maxTouchPoints: 10,
    },
    { os: "desktop", browser: "chrome" },
  ],
  ["nothing", { userAgent: "" }, { os: "desktop", browser: "other" }],
];

/** Browsers of apps that present themselves as one of the system. */
const OF_APPS: [string, string, DeviceFacts["os"]][] = [
  ["Lark on an iPhone", iPhone("18_7", `${SAFARI("26.3.1")} Lark/7.62.12 LarkLocale/en_US`), "ios"],
  ["Lark", android("Android 13; SM-S901B", "120.0.6099.230", " Lark/7.62.12"), "android"],
  ["the Google app", iPhone("18_5", "GSA/372.0.764 Mobile/15E148 Safari/604.1"), "ios"],
  ["Telegram on an iPhone", iPhone("18_5", `${SAFARI("18.5")} Telegram-iOS/11.9`), "ios"],
  ["Telegram", android("Android 14; Pixel 8", "125.0.0.0", " Telegram-Android/11.9"), "android"],
  ["Teams on an iPhone", iPhone("18_5", `${SAFARI("18.5")} TeamsMobile-iOS`), "ios"],
  ["Teams", android("Android 14; Pixel 8", "125.0.0.0", " TeamsMobile-Android"), "android"],
  ["DingTalk", android("Android 12; M2102J20SG", "100.0.0.0", " AliApp(DingTalk/7.0.40) language/en-US"), "android"],
  ["QQ", android("Android 12; M2102J20SG", "98.0.0.0", " V1_AND_SQ_9.0.60 QQ/9.0.60.11095"), "android"],
  ["QQ on an iPhone", iPhone("17_5", "Mobile/15E148 QQ/9.0.65.609 V1_IPH_SQ_9.0.65"), "ios"],
  ["WeChat", android("Android 14; Pixel 8", "122.0.0.0", " MicroMessenger/8.0.50 Language/zh_CN"), "android"],
  ["Slack on an iPhone", iPhone("18_5", `${SAFARI("18.5")} Slack/24.06`), "ios"],
  ["an app that is not known", iPhone("18_5", `${SAFARI("18.5")} AcmeChat/1.0`), "ios"],
  [
    "a WebView whose app takes its marker out",
    android("Android 14; Pixel 8", "125.0.0.0").replace("Chrome", "Version/4.0 Chrome"),
    "android",
  ],
  ["LinkedIn on an iPad", apple("Macintosh; Intel Mac OS X 10_15_7", "Mobile/15E148 [LinkedInApp]"), "ipados"],
];

test.each(OF_APPS)("the browser inside an app is recognized: %s", (_, userAgent, os) => {
  expect(deviceFromBrowser({ userAgent })).toMatchObject({ os, browser: "in-app" });
});

test.each([
  [
    "QQ Browser on an iPhone",
    iPhone("18_5", `Version/18.5 MQQBrowser/15.8 ${SAFARI("604").slice(12)} QBWebViewUA/2`),
    "ios",
  ],
  [
    "QQ Browser",
    android("Android 14; Pixel 8", "109.0.0.0")
      .replace("Chrome", "Version/4.0 Chrome")
      .replace("Mobile", "MQQBrowser/15.8 Mobile"),
    "android",
  ],
  ["DuckDuckGo", android("Android 14; Pixel 8", "125.0.0.0", " Ddg/14"), "android"],
])("a browser of its own is no app's and not the system's: %s", (_, userAgent, os) => {
  expect(deviceFromBrowser({ userAgent })).toMatchObject({ os, browser: "other" });
});

describe("deviceFromHeaders", () => {
  const reduced = android("Android 10; K", "142.0.0.0");
  const ask = (hints: Record<string, string>, userAgent = reduced) =>
    deviceFromHeaders(new Headers({ "User-Agent": userAgent, ...hints }));

  test("reads the version, the model and what the model runs from client hints", () => {
    const hints = { "Sec-CH-UA-Platform-Version": '"16.0.0"', "Sec-CH-UA-Model": '"Pixel 9"' };
    expect(ask(hints)).toEqual({
      ...NOTHING,
      os: "android",
      osVersion: "36",
      model: "Pixel 9",
      abis: ["arm64-v8a"],
      browser: "chrome",
    });
  });

  test("knows some of what runs beside a 32-bit browser, and nothing beside a 64-bit one", () => {
    const of = (architecture: string, bitness: string) => {
      const { abis, abisAreSome } = ask({ "Sec-CH-UA-Arch": architecture, "Sec-CH-UA-Bitness": bitness });
      return { abis, abisAreSome };
    };
    expect(of('"arm"', '"32"')).toEqual({ abis: ["armeabi-v7a", "armeabi"], abisAreSome: true });
    expect(of('"x86"', '"32"')).toEqual({ abis: ["x86"], abisAreSome: true });
    for (const unknown of [of('"arm"', '"64"'), of('""', '""'), of('"vax"', '"32"')]) expect(unknown.abis).toEqual([]);
    expect(ask({ "Sec-CH-UA-Model": '"Pixel 6"' }).abis).toEqual([]);
  });

  test("takes nothing from hints that are no quoted texts, and none of a device that has no use for them", () => {
    const least = { osVersion: "29", osVersionIsMinimum: true, model: null, abis: [] };
    for (const value of ["16.0.0", '""', '"a\tb', '"\u00e9"', `"${"9".repeat(101)}"`, '"1"; q="2"']) {
      const hints = { "Sec-CH-UA-Platform-Version": value, "Sec-CH-UA-Model": value, "Sec-CH-UA-Bitness": value };
      expect(ask(hints)).toMatchObject(least);
    }
    const version = { "Sec-CH-UA-Platform-Version": '"15.0.0"', "Sec-CH-UA-Arch": '"x86"' };
    expect(ask(version, MAC)).toEqual(deviceFromBrowser({ userAgent: MAC }));
    expect(ask({ ...version, "Sec-CH-UA-Platform": '"Linux"' })).toMatchObject(least);
    // What only repeats the User-Agent.
    expect(ask({ "Sec-CH-UA-Platform-Version": '"10"' })).toMatchObject(least);
    expect(ask({ "Sec-CH-UA-Platform-Version": '"10.0.0"' })).toMatchObject({
      osVersion: "29",
      osVersionIsMinimum: false,
    });
    expect(ask({ ...version, "Sec-CH-UA-Platform": '"Android"' }).osVersion).toBe("35");
  });

  test("takes the word of somebody whose iPad presents itself as a Mac", () => {
    expect(deviceFromHeaders(new Headers({ "User-Agent": MAC }), true)).toMatchObject({
      os: "ipados",
      osVersion: "17.5",
    });
  });
});

test("the language before the model of an old browser is not its model", () => {
  const of = (system: string) => deviceFromBrowser({ userAgent: `Mozilla/5.0 (${system}) AppleWebKit/533.1` }).model;
  expect(of("Linux; U; Android 9; zh-CN; Pixel Build/PQ3A.190801.002")).toBe("Pixel");
  expect(of("Linux; U; Android 4.0.3; en-us; GT-I9100 Build/IML74K")).toBe("GT-I9100");
  expect(of("Linux; U; Android 9; en")).toBeNull();
});

describe("deviceFromBrowser", () => {
  test.each(BROWSERS)("recognizes %s", (_, facts, expected) => {
    expect(deviceFromBrowser(facts)).toEqual({ ...NOTHING, ...expected });
  });

  const HOSTILE: [string, string][] = [
    ["8 KB of one character", "A".repeat(8_192)],
    ["8 KB of versions", `${"iPhone OS 1_".repeat(700)}`],
    ["8 KB of brackets", `Android 10; ${"(;)".repeat(2_700)}`],
    ["8 KB of spaces", `Mozilla/5.0 (Android 13;${" ".repeat(8_192)}`],
    ["a version of many digits", `iPhone OS ${"9".repeat(4_000)} Version/${"9".repeat(4_000)}`],
    ["control characters", "Mozilla/5.0 (Linux; Android 13; A\u0000B\u202eC\u001b[31m) Chrome/1"],
    ["text after a line break", "iPhone\r\nX-Header: 1"],
  ];

  test.each(HOSTILE)("takes a short time for %s, and lets nothing of it through", (_, userAgent) => {
    let device: DeviceFacts = { ...NOTHING, os: "desktop" };
    const start = processorTimeMs();
    for (let round = 0; round < 100; round += 1) device = deviceFromBrowser({ userAgent, platformVersion: userAgent });
    expect((processorTimeMs() - start) / 100).toBeLessThan(1);
    const { osVersion, model } = device;
    expect(osVersion ?? "").toMatch(/^(\d{1,3}(\.\d{1,3}){0,2})?$/);
    expect(model ?? "").toMatch(/^[\x20-\x7e]{0,64}$/);
  });
});

test("a version is for people to read where the device reports it", () => {
  const device = { ...NOTHING, os: "android" as const, osVersion: "29" };
  expect([reportedVersion(device), reportedVersion({ ...device, osVersionIsMinimum: true })]).toEqual(["29", null]);
  expect(reportedVersion({ ...device, os: "ios", osVersion: "18.6", osVersionIsMinimum: true })).toBe("18.6");
});

describe("deviceFromText", () => {
  const TYPED: [string, Partial<DeviceFacts>][] = [
    ["iphone", { os: "ios" }],
    ["iPhone 17.5.1", { os: "ios", osVersion: "17.5.1" }],
    ["iPhone15,2 iOS 18.1 registered", { os: "ios", osVersion: "18.1", model: "iPhone15,2", registered: true }],
    ["iPad13,4 unregistered", { os: "ipados", model: "iPad13,4", registered: false }],
    ["iPadOS 16 in-app", { os: "ipados", osVersion: "16", browser: "in-app" }],
    ["android 14 arm64-v8a armeabi-v7a", { os: "android", osVersion: "34", abis: ["arm64-v8a", "armeabi-v7a"] }],
    ["Android 34", { os: "android", osVersion: "34" }],
    ["android api 16", { os: "android", osVersion: "16" }],
    ["api-19 android", { os: "android", osVersion: "19" }],
    ["desktop", { os: "desktop" }],
    ["Pixel 9", { os: "android", model: "Pixel 9" }],
    ["pixel 7a android 15", { os: "android", osVersion: "35", model: "pixel 7a" }],
    [
      "android 16 Pixel 9 Pro XL arm64-v8a",
      { os: "android", osVersion: "36", model: "Pixel 9 Pro XL", abis: ["arm64-v8a"] },
    ],
    ["Galaxy S23 Ultra 14", { os: "android", osVersion: "34", model: "Galaxy S23 Ultra" }],
    ["SM-S901B api 33 chrome", { os: "android", osVersion: "33", model: "SM-S901B", browser: "chrome" }],
    ["Redmi Note 12 Pro+ 5G", { os: "android", model: "Redmi Note 12 Pro+ 5G" }],
    [`  ${iPhone("17_5_1", SAFARI("17.5"))} `, { os: "ios", osVersion: "17.5.1", browser: "safari" }],
  ];

  test.each(TYPED)("reads %s", (text, expected) => {
    expect(deviceFromText(text)).toEqual({ device: { ...NOTHING, ...expected } });
  });

  const REFUSED: [string, string, string][] = [
    ["", "no-system", ""],
    ["17.5", "no-system", ""],
    ["iphone 17.5 18.1", "version", "18.1"],
    ["desktop 11", "version", "11"],
    ["ios api 34", "version", "34"],
    ["android 0.9", "version", "0.9"],
    ["android api 8.1", "version", "8.1"],
    ["iphone android", "other-system", "android"],
    ["iPhone15,2 ipad", "other-system", "ipad"],
    ["iphone Pixel 9", "other-system", "Pixel"],
    ["Pixel 9 iphone", "other-system", "iphone"],
    ["iphone toString", "unknown-word", "toString"],
    ["constructor", "unknown-word", "constructor"],
    ["iPhone150,2", "unknown-word", "iPhone150,2"],
    ["iphone 1234", "unknown-word", "1234"],
    ["x".repeat(8_193), "too-long", ""],
  ];

  test.each(REFUSED)("refuses %s", (text, problem, word) => {
    expect(deviceFromText(text)).toEqual({ problem, word });
  });
});
