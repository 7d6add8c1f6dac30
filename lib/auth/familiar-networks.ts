import "server-only";
import { networkOf } from "@/lib/http/network";
import { type Counter, limiterKey, rateLimiter } from "@/lib/http/rate-limit";

/** How long a network or a device is familiar after the last success from it. */
export const FAMILIAR = { points: 1, seconds: 30 * 86_400 };

/** What was proved from a network: the first factor or the second. */
export type FamiliarFor = "sign-in" | "second-factor";

/** The counter that is set while the network of an address is familiar to an account. */
export function familiarMark(what: FamiliarFor, account: string, ip: string | null): Counter {
  return { name: `${what}-familiar`, limit: FAMILIAR, key: limiterKey(account, networkOf(ip)) };
}

/** Whether the network of an address is familiar to an account. */
export async function isFamiliar(what: FamiliarFor, account: string, ip: string | null): Promise<boolean> {
  const { name, limit, key } = familiarMark(what, account, ip);
  return (await rateLimiter(name, limit).get(key)) !== null;
}

/** Makes the network of an address familiar to an account, after a success. */
export async function makeFamiliar(what: FamiliarFor, account: string, ip: string | null): Promise<void> {
  const { name, limit, key } = familiarMark(what, account, ip);
  await rateLimiter(name, limit).set(key, limit.points, limit.seconds);
}
