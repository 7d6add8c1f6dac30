import "server-only";
import { consume, limiterKey, rateLimiter } from "@/lib/http/rate-limit";

/** Wrong tries for one account from one address; a right sign-in from elsewhere is never locked out by them. */
const PER_ACCOUNT_AND_ADDRESS = { points: 10, seconds: 900 };
/** Tries for one account from addresses that it is not used from: what a distributed guesser gets. */
const PER_ACCOUNT = { points: 100, seconds: 3_600 };
/** Tries from addresses that the tried account is not used from, over all accounts: what trying a stolen list gets. */
const OVERALL = { points: 600, seconds: 60 };
/** For so long an address from which an account has signed in stays familiar to it. */
const FAMILIAR = { points: 1, seconds: 30 * 86_400 };

/** A counted try to sign in. */
export interface SignInTry {
  /** Takes the address's tries back and makes the address familiar to the account. */
  succeeded(): Promise<void>;
}

/**
 * Counts a try to sign in to an account, before anything is compared, over all instances. Whoever tries from an address
 * that the account has lately signed in from meets no limit but that address's own, so that no stranger can lock the
 * rightful user out. Accounts that do not exist are counted alike.
 *
 * @param account as it was typed; case does not count
 * @throws ApiError rate_limited with the seconds to wait
 */
export async function countSignInTry(account: string, ip: string | null): Promise<SignInTry> {
  const name = account.toLowerCase();
  const here = limiterKey(name, ip ?? "");
  const perAddress = rateLimiter("sign-in-account-address", PER_ACCOUNT_AND_ADDRESS);
  const familiar = rateLimiter("sign-in-familiar", FAMILIAR);
  const [, isFamiliar] = await Promise.all([
    consume(perAddress, here),
    familiar.get(here).then((found) => found !== null),
  ]);
  if (!isFamiliar) {
    await consume(rateLimiter("sign-in-account", PER_ACCOUNT), limiterKey(name));
    await consume(rateLimiter("sign-in-overall", OVERALL), "all");
  }
  return {
    async succeeded() {
      await Promise.all([perAddress.delete(here), familiar.set(here, FAMILIAR.points, FAMILIAR.seconds)]);
    },
  };
}
