import "server-only";
import { networkOf, siteOf } from "@/lib/http/network";
import { areMarked, type Counter, consumeInOrder, limiterKey, settleCounters } from "@/lib/http/rate-limit";
import type { RequestFacts } from "@/lib/http/request-facts";
import { deviceMark, deviceOf } from "./familiar-devices";
import { familiarMark } from "./familiar-networks";

/** Failed attempts for one account from one network. They never lock out a sign-in from another network. */
const PER_ACCOUNT_AND_NETWORK = { points: 10, seconds: 900 };
/** Failed attempts from one network for accounts that it is not familiar to. Each leaves an audit record. */
const PER_NETWORK = { points: 300, seconds: 3_600 };
/** The same for all networks of an IPv6 /48, of which one caller may have 65,536. */
const PER_SITE = { points: 1_200, seconds: 3_600 };
/** Attempts for one account from unfamiliar networks: the limit for a distributed attack. */
const PER_ACCOUNT = { points: 100, seconds: 3_600 };
/** Attempts from unfamiliar networks over all accounts: the limit for trying a stolen list. */
const OVERALL = { points: 600, seconds: 60 };

/** A counted attempt to sign in. */
interface SignInTry {
  /** Removes the failed attempts of the network and makes it familiar to the account. */
  succeeded(): Promise<void>;
}

/**
 * Counts an attempt to sign in to an account, over all instances, before the password is compared. In a familiar network,
 * only the limit of that account and network applies, so that attackers elsewhere cannot lock the user out; on a device from
 * which the account has signed in, only the limit of that account and device, so that neither can others in the network.
 * Attempts for unknown accounts are counted in the same way.
 *
 * @param account as it was entered; its case is ignored
 * @throws ApiError rate_limited with the seconds to wait
 */
export async function countSignInTry(
  account: string,
  { ip, headers }: Pick<RequestFacts, "ip" | "headers">,
): Promise<SignInTry> {
  const name = account.toLowerCase();
  const device = deviceOf(headers);
  const onDevice = device === null ? null : deviceMark(device, name);
  const isOwnDevice = onDevice !== null && (await areMarked([onDevice]))[0] === true;
  const network = networkOf(ip);
  const site = siteOf(ip);
  const familiar = familiarMark("sign-in", name, ip);
  const here: Counter = isOwnDevice
    ? { name: "sign-in-account-device", limit: PER_ACCOUNT_AND_NETWORK, key: limiterKey(name, device as string) }
    : { name: "sign-in-account-address", limit: PER_ACCOUNT_AND_NETWORK, key: limiterKey(name, network) };
  const networks: Counter[] = [
    { name: "sign-in-network", limit: PER_NETWORK, key: network },
    ...(site === null ? [] : [{ name: "sign-in-site", limit: PER_SITE, key: site }]),
  ];
  const isFamiliar = await consumeInOrder(here, isOwnDevice ? onDevice : familiar, [
    ...networks,
    { name: "sign-in-account", limit: PER_ACCOUNT, key: limiterKey(name) },
    { name: "sign-in-overall", limit: OVERALL, key: "all" },
  ]);
  return {
    succeeded: () =>
      settleCounters({
        remove: here,
        marks: [familiar, ...(onDevice ? [onDevice] : [])],
        takeBack: isFamiliar ? [] : networks,
      }),
  };
}
