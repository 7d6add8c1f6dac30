import "server-only";
import type { Db } from "@/lib/db/client";
import { randomToken } from "@/lib/kernel/crypto/tokens";
import { issueToken, redeemToken } from "../one-time-tokens";

/** Begins one session. The state is sent in the address, the binding in an HttpOnly cookie. */
export interface Ticket {
  state: string;
  /** Null for a command-line tool, which has no cookies. */
  binding: string | null;
}

/** Issues a ticket for a user. @param bound whether a browser's cookie must be presented with it */
export async function issueTicket(tx: Db, userId: string, bound: boolean, now: Date): Promise<Ticket> {
  const binding = bound ? randomToken() : null;
  const { token } = await issueToken(tx, { purpose: "sso", subject: userId, binding, now });
  return { state: token, binding };
}

/**
 * Redeems a ticket. One without a binding is for a command-line tool: a browser that redeemed it would be signed in as the person who
 * sent it the address.
 * @param presented.byBrowser whether a browser presents it
 * @returns the user's id; null if it is unknown, used, expired or of another browser
 */
export async function redeemTicket(
  tx: Db,
  presented: Ticket & { byBrowser: boolean },
  now: Date,
): Promise<string | null> {
  const { state, binding, byBrowser } = presented;
  const token = { purpose: "sso", token: state, now } as const;
  const bound = binding === null ? null : await redeemToken(tx, { ...token, binding });
  const redeemed = bound ?? (byBrowser ? null : await redeemToken(tx, token));
  return redeemed?.subject ?? null;
}
