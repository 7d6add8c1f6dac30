import { androidVersionOf, apiLevelOf } from "../android-versions";
import { compareVersions } from "../versions";
import { appleModel } from "./apple-models";
import { BROWSERS, type BrowserName, type DeviceFacts } from "./types";

/** What a browser reports about its device. */
export interface BrowserFacts {
  userAgent: string;
  /** `navigator.platform`. */
  platform?: string;
  /** `navigator.maxTouchPoints`; 0 on every Mac. */
  maxTouchPoints?: number;
  /** The system's version from the User-Agent Client Hints, if the browser supports them. */
  platformVersion?: string;
  /** The model from the User-Agent Client Hints. */
  model?: string;
  /** The architecture of the processor from the User-Agent Client Hints: "arm" or "x86"; empty where a browser does not tell. */
  architecture?: string;
  /** The bits of the processor from the User-Agent Client Hints: "32" or "64". */
  bitness?: string;
}

/** The User-Agent Client Hints that `deviceFromHeaders` reads, as `Accept-CH` names them (RFC 8942). */
export const DEVICE_HINTS = [
  "Sec-CH-UA-Platform-Version",
  "Sec-CH-UA-Model",
  "Sec-CH-UA-Arch",
  "Sec-CH-UA-Bitness",
] as const;

/** UTF-16 code units of a User-Agent that are read; those of browsers have a few hundred. */
const MAX_USER_AGENT = 1_024;
const MAX_MODEL = 64;

const UNKNOWN = { osVersion: null, osVersionIsMinimum: false, model: null, abis: [], browser: null, registered: null };

/** A computer; also used if nothing is known about the device. */
export const DESKTOP: DeviceFacts = { ...UNKNOWN, os: "desktop" };

/** Apps whose browsers name themselves like one of the system, by the app's part of the User-Agent. */
const IN_APP =
  /\b(?:FBAN|FBAV|FB_IAB|Instagram|Barcelona|Line\/|MicroMessenger|wxwork|Twitter|LinkedInApp|Snapchat|Pinterest|BytedanceWebview|musical_ly|Slack|Lark|Feishu|GSA\/|Telegram|Teams(?:Mobile|-|\/)|DingTalk|AliApp|AlipayClient|QQ\/|Weibo|KAKAOTALK|NAVER\(|Zalo|Viber|Discord|Mattermost|Outlook-|ZoomWebKit|Webex|baiduboxapp)/i;
/** The other browsers of iOS, which contain "Safari", and as which "Version" is not the system's. */
const NOT_SAFARI =
  /\b(?:CriOS|FxiOS|Focus|EdgiOS|OPiOS|OPT|OPX|DuckDuckGo|Ddg|Brave|YaBrowser|MQQBrowser|UCBrowser|Vivaldi|Whale|AlohaBrowser|Ecosia|SamsungBrowser)\b/;
/** Safari, after which the views of apps write their own names. */
const SAFARI = /\bVersion\/[\d.]+ (?:Mobile\/\w+ )?Safari\/[\d.]+$/;
/** The other browsers of Android, which contain "Chrome". */
const NOT_CHROME =
  /\b(?:SamsungBrowser|EdgA|OPR|OPT|OPX|UCBrowser|YaBrowser|HuaweiBrowser|MQQBrowser|MiuiBrowser|HeyTapBrowser|VivoBrowser|DuckDuckGo|Ddg|Vivaldi|Whale|Silk|Quark)\//;
/** Phones whose system runs 64-bit code only: Pixels from the seventh on ("64-bit only devices", Android Developers). */
const ONLY_64_BITS = /^Pixel (?:[7-9]|1\d|Fold|Tablet)/;

/** The version that a device reports. Where Android reports a lowest one only, it is not known for people to read. */
export function reportedVersion({ os, osVersion, osVersionIsMinimum }: DeviceFacts): string | null {
  return os === "android" && osVersionIsMinimum ? null : osVersion;
}

/** A value of a client hint, a quoted text (RFC 8941) without escapes. A browser that does not tell sends an empty one. */
function hintOf(headers: { get(name: string): string | null }, name: string) {
  return /^"([\x20\x21\x23-\x5b\x5d-\x7e]{1,100})"$/.exec(headers.get(name)?.trim() ?? "")?.[1];
}

/**
 * The device of a request, as far as its headers tell. An iPad presents itself as a Mac in most browsers.
 * @param isIpad whether a browser that presents itself as a Mac is that of an iPad
 */
export function deviceFromHeaders(headers: { get(name: string): string | null }, isIpad = false): DeviceFacts {
  // A browser of a computer that presents itself as a phone still tells of the computer.
  const isOfAndroid = (hintOf(headers, "Sec-CH-UA-Platform") ?? "Android") === "Android";
  return deviceFromBrowser({
    userAgent: headers.get("user-agent") ?? "",
    ...(isOfAndroid && {
      platformVersion: hintOf(headers, "Sec-CH-UA-Platform-Version"),
      model: hintOf(headers, "Sec-CH-UA-Model"),
      architecture: hintOf(headers, "Sec-CH-UA-Arch"),
      bitness: hintOf(headers, "Sec-CH-UA-Bitness"),
    }),
    ...(isIpad && { platform: "MacIntel", maxTouchPoints: 5 }),
  });
}

/**
 * Detects the device of a page. The server only has headers, with which an iPad identifies itself as a Mac in most browsers; in the
 * browser, the touch screen distinguishes them.
 */
export function deviceFromBrowser(reported: BrowserFacts): DeviceFacts {
  const userAgent = reported.userAgent.slice(0, MAX_USER_AGENT);
  const named = /\b(iPhone|iPod|iPad)\b/.exec(userAgent)?.[1];
  const { platform, maxTouchPoints = 0 } = reported;
  const isTouched = platform === "MacIntel" && maxTouchPoints > 1;
  // No browser of a Mac sends these; the views of apps on an iPad do, and its browsers that are not Safari.
  const isMobile = /\b(?:Mobile|CriOS|FxiOS|EdgiOS)\//.test(userAgent);
  const iPadAsMac = !named && /\bMacintosh\b/.test(userAgent) && (isTouched || isMobile);
  if (named || iPadAsMac) {
    const os = named === "iPad" || iPadAsMac ? "ipados" : "ios";
    return { ...UNKNOWN, os, ...appleVersion(userAgent), browser: appleBrowser(userAgent) };
  }
  if (/\bAndroid\b/.test(userAgent)) return androidDevice(userAgent, reported);
  return { ...DESKTOP, browser: desktopBrowser(userAgent) };
}

type Version = Pick<DeviceFacts, "osVersion" | "osVersionIsMinimum">;

/**
 * From version 26 on, Safari reports the system 18.6 or 18.7 ("WebKit Features in Safari 26.0", webkit.org), and its own version
 * is that of the system. What another browser takes over from there is therefore 18.6 or any later system.
 */
function appleVersion(userAgent: string): Version {
  const named = /\bOS (\d{1,3}(?:_\d{1,3}){0,2})\b/.exec(userAgent)?.[1];
  const system = named && !userAgent.includes("Macintosh") ? named.replaceAll("_", ".") : null;
  const isSafari = !NOT_SAFARI.test(userAgent);
  const safari = isSafari ? (/\bVersion\/(\d{1,3}(?:\.\d{1,3}){0,2})\b/.exec(userAgent)?.[1] ?? null) : null;
  if (safari === null) return { osVersion: system, osVersionIsMinimum: system !== null && /^18\.[67]\b/.test(system) };
  const isLater = system === null || compareVersions(safari, system) > 0;
  return { osVersion: isLater ? safari : system, osVersionIsMinimum: false };
}

function appleBrowser(userAgent: string): BrowserName {
  // Safari and the other browsers contain "Safari"; most web views of apps do not.
  if (!/\bSafari\//.test(userAgent) || IN_APP.test(userAgent)) return "in-app";
  if (/\bCriOS\//.test(userAgent)) return "chrome";
  if (/\bFxiOS\//.test(userAgent)) return "firefox";
  if (NOT_SAFARI.test(userAgent)) return "other";
  return SAFARI.test(userAgent) ? "safari" : "in-app";
}

/**
 * What the system runs, as far as it is known. A 64-bit processor may run 32-bit code, or not. Of 32 bits is the browser: on phones with
 * little memory, Chrome is, and the system runs 64-bit code too.
 */
function abisOf(model: string, { architecture, bitness }: BrowserFacts): Pick<DeviceFacts, "abis" | "abisAreSome"> {
  if (ONLY_64_BITS.test(model)) return { abis: ["arm64-v8a"] };
  if (bitness !== "32") return { abis: [] };
  if (architecture === "arm") return { abis: ["armeabi-v7a", "armeabi"], abisAreSome: true };
  return architecture === "x86" ? { abis: ["x86"], abisAreSome: true } : { abis: [] };
}

/** The language that old browsers write before the model. */
const LANGUAGE = /^[a-z]{2,3}(?:[-_][A-Za-z]{2,4})?$/;

function androidDevice(userAgent: string, reportedFacts: BrowserFacts): DeviceFacts {
  const { platformVersion, model } = reportedFacts;
  // "(Linux; Android 13; SM-S901B Build/TP1A; wv)", "(Linux; U; Android 9; zh-CN; Pixel Build/PQ3A)"
  const start = userAgent.search(/\bAndroid\b/);
  const [system = "", ...parts] = (userAgent.slice(start).split(")", 1)[0] ?? "").split(";").map((part) => part.trim());
  const device = parts.find((part) => part === "wv" || !LANGUAGE.test(part)) ?? "";
  const version = /^Android (\d{1,3}(?:\.\d{1,3}){0,3})$/.exec(system)?.[1];
  const isReduced = version === "10" && device === "K";
  // Firefox names the kind of the device instead of its model.
  const named = /^(?:K|Mobile|Tablet|wv|rv:.*)$/.test(device) ? "" : (device.split(" Build/", 1)[0] ?? "");
  const text = (model || named)
    .slice(0, MAX_MODEL)
    .replace(/[^\x20-\x7e]/g, "")
    .trim();
  const fromAgent = isReduced ? leastOfChrome(userAgent) : version === undefined ? null : fromUserAgent(version);
  // A tool that replaces the User-Agent of a browser derives the hint from it; Android 10 itself tells "10.0.0".
  const isDerived = isReduced && platformVersion === version;
  const reported = platformVersion && !isDerived ? levelOf(platformVersion) : fromAgent;
  const abis = abisOf(text, reportedFacts);
  return { ...UNKNOWN, os: "android", ...reported, model: text || null, ...abis, browser: androidBrowser(userAgent) };
}

/** The first version without a known API level is taken for the last one that is known, or a later one. */
function levelOf(version: string): Version {
  const text = version.slice(0, 20);
  const level = apiLevelOf(text);
  if (level !== null) return { osVersion: String(level), osVersionIsMinimum: false };
  const latest = latestLevel();
  const isLater =
    /^\d{1,3}(?:\.|$)/.test(text) && Number.parseInt(text, 10) > Number.parseInt(androidVersionOf(latest) ?? "", 10);
  return { osVersion: isLater ? String(latest) : null, osVersionIsMinimum: isLater };
}

function latestLevel(): number {
  let level = 36;
  while (androidVersionOf(level + 1) !== null) level += 1;
  return level;
}

/** Browsers that report less stay at version 10 on later systems. */
function fromUserAgent(version: string): Version {
  const found = levelOf(version);
  return /^10\b/.test(version) ? { ...found, osVersionIsMinimum: true } : found;
}

/**
 * Chrome reports Android 10 on every device (User-Agent reduction), but needs a lowest version itself: Android 10 from
 * Chrome 139 on, 8 from 120, 7 from 107, 6 from 96. Other browsers of the same engine have other lowest versions.
 */
const LEAST_OF_CHROME = [
  { chrome: 139, level: 29 },
  { chrome: 120, level: 26 },
  { chrome: 107, level: 24 },
  { chrome: 96, level: 23 },
] as const;

function leastOfChrome(userAgent: string): Version {
  const chrome = Number(/ Chrome\/(\d{1,4})\.0\.0\.0 (?:Mobile )?Safari\/537\.36$/.exec(userAgent)?.[1] ?? 0);
  const least = LEAST_OF_CHROME.find((row) => chrome >= row.chrome);
  return { osVersion: least ? String(least.level) : null, osVersionIsMinimum: least !== undefined };
}

function androidBrowser(userAgent: string): BrowserName {
  // The marker of a WebView, which does not download files by itself.
  if (/;\s*wv\)/.test(userAgent) || IN_APP.test(userAgent)) return "in-app";
  if (NOT_CHROME.test(userAgent)) return "other";
  // Every WebView has this version; some apps take the marker out.
  return /\bVersion\/4\.0 Chrome\//.test(userAgent) ? "in-app" : desktopBrowser(userAgent);
}

function desktopBrowser(userAgent: string): BrowserName {
  if (/\bFirefox\//.test(userAgent)) return "firefox";
  if (/\b(?:Edg|OPR)\//.test(userAgent)) return "other";
  if (/\bChrome\//.test(userAgent)) return "chrome";
  return /\bVersion\/[\d.]+ Safari\//.test(userAgent) ? "safari" : "other";
}

/** Why what was typed is not a device. */
export type TypedDeviceProblem = "too-long" | "no-system" | "unknown-word" | "version" | "other-system";

/** UTF-16 code units; a User-Agent may be given, too. */
const MAX_TYPED = 8_192;

const SYSTEMS: Readonly<Record<string, DeviceFacts["os"]>> = {
  ios: "ios",
  iphone: "ios",
  ipod: "ios",
  ipados: "ipados",
  ipad: "ipados",
  android: "android",
  desktop: "desktop",
};
const ABIS = ["arm64-v8a", "armeabi-v7a", "armeabi", "x86_64", "x86", "riscv64"];
/** The first word of the names of Android devices, as their makers and browsers write them. */
const ANDROID_BRANDS =
  /^(?:pixel|nexus|galaxy|samsung|sm-[a-z0-9]+|gt-[a-z0-9]+|xiaomi|redmi|poco|mi|oneplus|oppo|cph\d+|vivo|realme|rmx\d+|moto|motorola|nokia|hmd|huawei|honor|sony|xperia|asus|zenfone|rog|nothing|fairphone|lenovo|tecno|infinix|itel|tcl|zte|lg-[a-z0-9]+|google)$/;
/** Numbers from this one on are API levels and below it versions of Android. */
const FIRST_TYPED_LEVEL = 20;

/**
 * Reads a device as a person types it: the system or model (Apple’s identifier, or an Android device such as `Pixel 9`), the version, and what else is known, in any order, such as
 * `iphone 17.5`, `iPhone15,2 18.1 registered`, `android 14 arm64-v8a` or `android api 34`. A User-Agent is read, too.
 * @returns the device, or why it is none, with the word that is not understood
 */
export function deviceFromText(text: string): { device: DeviceFacts } | { problem: TypedDeviceProblem; word: string } {
  if (text.length > MAX_TYPED) return { problem: "too-long", word: "" };
  if (/^\s*Mozilla\//.test(text)) return { device: deviceFromBrowser({ userAgent: text.trim() }) };
  const words = text.split(/[\s;]+/).filter(Boolean);
  const device: { -readonly [Key in keyof DeviceFacts]: DeviceFacts[Key] } & { abis: string[] } = {
    ...DESKTOP,
    abis: [],
  };
  let os: DeviceFacts["os"] | null = null;
  let version: string | null = null;
  while (words.length > 0) {
    const word = words.shift() as string;
    const lower = word.toLowerCase();
    if (ANDROID_BRANDS.test(lower)) {
      if (device.model !== null || (os !== null && os !== "android")) return { problem: "other-system", word };
      os = "android";
      device.model = [word, ...takeModel(words)].join(" ").slice(0, MAX_MODEL);
      continue;
    }
    const model = appleModel(word);
    const system = model
      ? model.family === "iPad"
        ? "ipados"
        : "ios"
      : Object.hasOwn(SYSTEMS, lower)
        ? SYSTEMS[lower]
        : undefined;
    if (system) {
      // "iPad" and "iPad13,4" say the same; "iPhone" and "Android" do not.
      if (os !== null && os !== system) return { problem: "other-system", word };
      os = system;
      if (model) device.model = word;
    } else if (/^(?:api-?)?\d{1,3}(?:\.\d{1,3}){0,3}$/.test(lower)) {
      if (version !== null) return { problem: "version", word };
      version = lower;
    } else if (ABIS.includes(lower)) device.abis.push(lower);
    else if (isBrowser(lower)) device.browser = lower;
    else if (lower === "registered" || lower === "unregistered") device.registered = lower === "registered";
    else if (lower !== "api") return { problem: "unknown-word", word };
  }
  if (os === null) return { problem: "no-system", word: "" };
  device.os = os;
  if (version === null) return { device };
  const isLevel = /(?:^|[\s;])api\b/i.test(text);
  const osVersion = typedVersion(os, version, isLevel);
  return osVersion ? { device: { ...device, ...osVersion } } : { problem: "version", word: version };
}

/** Takes the further words of the name of an Android device from those that are left: "9 Pro XL" of a Pixel. */
function takeModel(words: string[]): string[] {
  const taken: string[] = [];
  let hasNumber = false;
  for (let word = words[0]; word !== undefined; word = words[0]) {
    const lower = word.toLowerCase();
    const isOther =
      /^api\b/.test(lower) || /^(?:un)?registered$/.test(lower) || isBrowser(lower) || ABIS.includes(lower);
    // A second number is the version of the system.
    if (isOther || Object.hasOwn(SYSTEMS, lower) || (hasNumber && /^[\d.]+$/.test(lower))) break;
    hasNumber ||= /\d/.test(lower);
    taken.push(word);
    words.shift();
  }
  return taken;
}

function isBrowser(word: string): word is BrowserName {
  return BROWSERS.some((name) => name === word);
}

/** @returns null if a system has no such version */
function typedVersion(os: DeviceFacts["os"], version: string, isLevel: boolean): Version | null {
  if (os === "desktop") return null;
  const number = version.replace(/^api-?/, "");
  if (os !== "android") return isLevel ? null : { osVersion: number, osVersionIsMinimum: false };
  if (isLevel || (/^\d+$/.test(number) && Number(number) >= FIRST_TYPED_LEVEL))
    return /^\d+$/.test(number) ? { osVersion: number, osVersionIsMinimum: false } : null;
  const found = levelOf(number);
  return found.osVersion === null ? null : found;
}
