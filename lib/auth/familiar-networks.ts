import "server-only";
import { networkOf } from "@/lib/http/network";
import { limiterKey, rateLimiter } from "@/lib/http/rate-limit";

/** How long a network stays familiar after the last success from it. */
const FAMILIAR = { points: 1, seconds: 30 * 86_400 };

/** What a person has proved from a network: their first factor or their second. */
export type FamiliarFor = "sign-in" | "second-factor";

const familiar = (what: FamiliarFor) => rateLimiter(`${what}-familiar`, FAMILIAR);

/** Whether an account has lately proved who it is from the network of an address. */
export async function isFamiliar(what: FamiliarFor, account: string, ip: string | null): Promise<boolean> {
  return (await familiar(what).get(limiterKey(account, networkOf(ip)))) !== null;
}

/** Notes that an account has just proved who it is from the network of an address. */
export async function makeFamiliar(what: FamiliarFor, account: string, ip: string | null): Promise<void> {
  await familiar(what).set(limiterKey(account, networkOf(ip)), FAMILIAR.points, FAMILIAR.seconds);
}
