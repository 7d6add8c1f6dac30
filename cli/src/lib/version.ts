/** Set by the bundler. */
declare const SLIPWAY_VERSION: string | undefined;

/** The version of the tool, which is the console's. */
export const VERSION = typeof SLIPWAY_VERSION === "string" ? SLIPWAY_VERSION : "0.0.0";

/** The system as browsers name it, so that the list of sessions shows it. */
const SYSTEMS: Partial<Record<NodeJS.Platform, string>> = {
  darwin: "Macintosh; Intel Mac OS X 10_15_7",
  linux: "X11; Linux x86_64",
  win32: "Windows NT 10.0",
};

export const USER_AGENT = `slipway-cli/${VERSION} (${SYSTEMS[process.platform] ?? process.platform})`;
