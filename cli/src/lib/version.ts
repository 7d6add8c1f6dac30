/** Set by the bundler. */
declare const SLIPWAY_VERSION: string | undefined;

/** The version of the tool, which is the console's. */
export const VERSION = typeof SLIPWAY_VERSION === "string" ? SLIPWAY_VERSION : "0.0.0";
export const USER_AGENT = `slipway-cli/${VERSION}`;
