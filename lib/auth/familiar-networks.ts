import "server-only";
import { networkOf } from "@/lib/http/network";
import { type Counter, limiterKey } from "@/lib/http/rate-limit";

/** How long a network or a device is familiar after the last success from it. */
export const FAMILIAR = { points: 1, seconds: 30 * 86_400 };

/** What was proved from a network: the first factor or the second. */
type FamiliarFor = "sign-in" | "second-factor";

/** The counter that is set while the network of an address is familiar to an account. */
export function familiarMark(what: FamiliarFor, account: string, ip: string | null): Counter {
  return { name: `${what}-familiar`, limit: FAMILIAR, key: limiterKey(account, networkOf(ip)) };
}
