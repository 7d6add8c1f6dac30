import "server-only";
import { networkOf, siteOf } from "@/lib/http/network";
import { consume } from "@/lib/http/rate-limit";
import type { RequestFacts } from "@/lib/http/request-facts";
import { anonymousCallerKey } from "./familiar-devices";

/** Audited calls of anonymous callers from one network, or from one familiar device, over all operations. */
const PER_CALLER = { points: 600, seconds: 3_600 };
/** The same for all networks of an IPv6 /48, of which one caller may have 65,536. */
const PER_SITE = { points: 2_400, seconds: 3_600 };

/**
 * Counts a call that anyone may make and that leaves an audit record. The log is kept for ever, so the records of
 * anonymous callers are limited by the hour as well as by the minute.
 * @throws ApiError rate_limited with the seconds to wait
 */
export async function countAnonymousRecord(request: Pick<RequestFacts, "ip" | "headers">): Promise<void> {
  const caller = await anonymousCallerKey(request);
  await consume({ name: "anonymous-records", limit: PER_CALLER, key: caller });
  const site = siteOf(request.ip);
  // What others in its network use up is not counted against a familiar device.
  if (site !== null && caller === networkOf(request.ip))
    await consume({ name: "anonymous-records-site", limit: PER_SITE, key: site });
}
