/** What a browser reports about itself and its device. */
export interface BrowserFacts {
  userAgent: string;
  /** `navigator.maxTouchPoints`: distinguishes an iPad, which identifies itself as a Mac, from a Mac. */
  maxTouchPoints: number;
}

// The order matters: most browsers also name the browsers that they derive from.
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

/** The browser and the device for the suggested name of a passkey; null if either is unknown. */
export function deviceNames({ userAgent, maxTouchPoints }: BrowserFacts): { browser: string; device: string } | null {
  const browser = firstMatch(BROWSERS, userAgent);
  const device = firstMatch(PLATFORMS, userAgent);
  if (browser === null || device === null) return null;
  return { browser, device: device === "Mac" && maxTouchPoints > 1 ? "iPad" : device };
}
