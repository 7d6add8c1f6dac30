import "server-only";
import { sql } from "./query";

/** The order of publication of the releases `r`. */
export const NEWEST_FIRST = sql`r."deployDate" DESC, r."id" DESC`;

/** Whether devices install `r`; an app bundle is for stores. */
export const INSTALLS_ON_DEVICES = sql`(r."installer"->>'kind' IS DISTINCT FROM 'aab')`;

/**
 * The order that decides which of the releases `r` is the latest: installers that devices take before app bundles, then the highest
 * version by `version_order`, then the highest build number, then the last publication. `Release_latest_idx` has this order for each
 * platform of an environment.
 */
export const LATEST_FIRST = sql`${INSTALLS_ON_DEVICES} DESC, version_order(r."version") DESC, version_order(r."buildNumber") DESC,
  ${NEWEST_FIRST}`;
