import "server-only";
import { networkOf } from "@/lib/http/network";
import { limiterKey, rateLimiter } from "@/lib/http/rate-limit";

/** How long a network is familiar after the last success from it. */
const FAMILIAR = { points: 1, seconds: 30 * 86_400 };

/** What was proved from a network: the first factor or the second. */
export type FamiliarFor = "sign-in" | "second-factor";

const familiar = (what: FamiliarFor) => rateLimiter(`${what}-familiar`, FAMILIAR);

/** Whether the network of an address is familiar to an account. */
export async function isFamiliar(what: FamiliarFor, account: string, ip: string | null): Promise<boolean> {
  return (await familiar(what).get(limiterKey(account, networkOf(ip)))) !== null;
}

/** Makes the network of an address familiar to an account, after a success. */
export async function makeFamiliar(what: FamiliarFor, account: string, ip: string | null): Promise<void> {
  await familiar(what).set(limiterKey(account, networkOf(ip)), FAMILIAR.points, FAMILIAR.seconds);
}
