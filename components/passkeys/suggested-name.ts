/** What a browser tells about itself and the device that it runs on. */
export interface BrowserFacts {
  userAgent: string;
  /** `navigator.maxTouchPoints`: tells an iPad, which passes for a Mac, from one. */
  maxTouchPoints: number;
}

// In this order: most browsers name others, of whose descent they are.
const BROWSERS: readonly [RegExp, string][] = [
  [/\bEdg(?:A|iOS)?\//, "Edge"],
  [/\bOPR\/|\bOPiOS\//, "Opera"],
  [/\bSamsungBrowser\//, "Samsung Internet"],
  [/\bFirefox\/|\bFxiOS\//, "Firefox"],
  [/\bChrome\/|\bCriOS\//, "Chrome"],
  [/\bSafari\//, "Safari"],
];

const PLATFORMS: readonly [RegExp, string][] = [
  [/\biPhone\b/, "iPhone"],
  [/\biPad\b/, "iPad"],
  [/\bAndroid\b/, "Android"],
  [/\bCrOS\b/, "ChromeOS"],
  [/\bWindows\b/, "Windows"],
  [/\bMacintosh\b/, "Mac"],
  [/\bLinux\b/, "Linux"],
];

const firstMatch = (table: readonly [RegExp, string][], text: string) =>
  table.find(([pattern]) => pattern.test(text))?.[1] ?? null;

/** The browser and the device that a new passkey may be named after; null where either cannot be told. */
export function deviceNames({ userAgent, maxTouchPoints }: BrowserFacts): { browser: string; device: string } | null {
  const browser = firstMatch(BROWSERS, userAgent);
  const device = firstMatch(PLATFORMS, userAgent);
  if (browser === null || device === null) return null;
  return { browser, device: device === "Mac" && maxTouchPoints > 1 ? "iPad" : device };
}
