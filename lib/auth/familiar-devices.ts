import "server-only";
import type { Db } from "@/lib/db/client";
import { cookieName, hostCookie } from "@/lib/http/cookies";
import { networkOf } from "@/lib/http/network";
import { areMarked, type Counter, limiterKey, setMarks } from "@/lib/http/rate-limit";
import { cookieValue, type RequestFacts } from "@/lib/http/request-facts";
import { randomToken } from "@/lib/kernel/crypto/tokens";
import { FAMILIAR, familiarMark } from "./familiar-networks";

// A browser from which a user has signed in has its own limits, so that others, also in the same network, cannot use up
// its attempts (OWASP: device cookies). The cookie proves nothing else.

const DEVICE = /^[\w-]{43}$/;

const DEVICE_COOKIE = "slipway-device";

/** The device that a request names by its cookie; null for none. It is familiar only if somebody has signed in from it. */
export function deviceOf(headers: Headers): string | null {
  const device = cookieValue(headers, cookieName(DEVICE_COOKIE));
  return device !== undefined && DEVICE.test(device) ? device : null;
}

/** A Set-Cookie value that names a device for as long as it is familiar. */
export function deviceCookie(device: string): string {
  return hostCookie(DEVICE_COOKIE, device, { lifetime: `Max-Age=${FAMILIAR.seconds}` });
}

/** The counter that is set while a device is familiar: to an account, or to any. */
export function deviceMark(device: string, account?: string): Counter {
  const key = account === undefined ? limiterKey(device) : limiterKey(device, account.toLowerCase());
  return { name: "device-familiar", limit: FAMILIAR, key };
}

/** Makes the device of a request familiar to the account that signs in from it. @returns the device, new if it named none */
export async function makeDeviceFamiliar(tx: Db, account: string, headers: Headers): Promise<string> {
  const device = deviceOf(headers) ?? randomToken();
  await setMarks(tx, [deviceMark(device), deviceMark(device, account)]);
  return device;
}

/**
 * What the calls of an anonymous caller are counted under: the device if somebody has signed in from it, the account and the
 * network if these are familiar to each other, and otherwise the network.
 * @param account whom the call wants to sign in
 */
export async function anonymousCallerKey(
  { ip, headers }: Pick<RequestFacts, "ip" | "headers">,
  account?: string,
): Promise<string> {
  const network = networkOf(ip);
  const device = deviceOf(headers);
  const candidates = [
    ...(device === null ? [] : [{ key: limiterKey("device", device), mark: deviceMark(device) }]),
    ...(account === undefined
      ? []
      : [
          {
            key: limiterKey("account", account.toLowerCase(), network),
            mark: familiarMark("sign-in", account.toLowerCase(), ip),
          },
        ]),
  ];
  if (candidates.length === 0) return network;
  const marked = await areMarked(candidates.map(({ mark }) => mark));
  return candidates.find((_, index) => marked[index])?.key ?? network;
}
