import "server-only";
import { networkOf, siteOf } from "@/lib/http/network";
import { consume, limiterKey, rateLimiter } from "@/lib/http/rate-limit";
import { isFamiliar, makeFamiliar } from "./familiar-networks";

/** Wrong tries for one account from one network; a right sign-in from elsewhere is never locked out by them. */
const PER_ACCOUNT_AND_NETWORK = { points: 10, seconds: 900 };
/** Wrong tries from one network for accounts that are not familiar there. Each leaves an audit record. */
const PER_NETWORK = { points: 300, seconds: 3_600 };
/** The same for all networks of an IPv6 /48, of which one caller may have 65,536. */
const PER_SITE = { points: 1_200, seconds: 3_600 };
/** Tries for one account from networks that it is not familiar in: what a distributed guesser gets. */
const PER_ACCOUNT = { points: 100, seconds: 3_600 };
/** Tries from networks that the tried account is not familiar in, over all accounts: what trying a stolen list gets. */
const OVERALL = { points: 600, seconds: 60 };

/** A counted try to sign in. */
export interface SignInTry {
  /** Takes the network's tries back and makes the network familiar to the account. */
  succeeded(): Promise<void>;
}

/**
 * Counts a try to sign in to an account, before anything is compared, over all instances. Whoever tries from a network
 * that the account has lately signed in from meets no limit but their own there, so that no stranger can lock the
 * rightful user out. Accounts that do not exist are counted alike.
 *
 * @param account as it was typed; case does not count
 * @throws ApiError rate_limited with the seconds to wait
 */
export async function countSignInTry(account: string, ip: string | null): Promise<SignInTry> {
  const name = account.toLowerCase();
  const network = networkOf(ip);
  const here = limiterKey(name, network);
  const perAccountAndNetwork = rateLimiter("sign-in-account-address", PER_ACCOUNT_AND_NETWORK);
  const perNetwork = rateLimiter("sign-in-network", PER_NETWORK);
  const site = siteOf(ip);
  const perSite = rateLimiter("sign-in-site", PER_SITE);
  const [, known] = await Promise.all([consume(perAccountAndNetwork, here), isFamiliar("sign-in", name, ip)]);
  if (!known) {
    await consume(perNetwork, network);
    if (site !== null) await consume(perSite, site);
    await consume(rateLimiter("sign-in-account", PER_ACCOUNT), limiterKey(name));
    await consume(rateLimiter("sign-in-overall", OVERALL), "all");
  }
  return {
    async succeeded() {
      await Promise.all([
        perAccountAndNetwork.delete(here),
        makeFamiliar("sign-in", name, ip),
        known ? undefined : perNetwork.reward(network),
        known || site === null ? undefined : perSite.reward(site),
      ]);
    },
  };
}
