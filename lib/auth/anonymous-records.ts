import "server-only";
import { networkOf, siteOf } from "@/lib/http/network";
import { consume } from "@/lib/http/rate-limit";

/** Audited calls of anonymous callers from one network, over all operations. */
const PER_NETWORK = { points: 600, seconds: 3_600 };
/** The same for all networks of an IPv6 /48, of which one caller may have 65,536. */
const PER_SITE = { points: 2_400, seconds: 3_600 };

/**
 * Counts a call that anyone may make and that leaves an audit record. The log is kept for ever, so the records of
 * anonymous callers are limited by the hour as well as by the minute.
 * @throws ApiError rate_limited with the seconds to wait
 */
export async function countAnonymousRecord(ip: string | null): Promise<void> {
  await consume({ name: "anonymous-records", limit: PER_NETWORK, key: networkOf(ip) });
  const site = siteOf(ip);
  if (site !== null) await consume({ name: "anonymous-records-site", limit: PER_SITE, key: site });
}
