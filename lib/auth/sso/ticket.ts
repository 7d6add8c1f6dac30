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

/** Redeems a ticket. @returns the user's id; null if it is unknown, used, expired or of another browser */
export async function redeemTicket(tx: Db, { state, binding }: Ticket, now: Date): Promise<string | null> {
  const presented = { purpose: "sso", token: state, now } as const;
  // A browser may hold the cookie of an earlier sign-in when it redeems a ticket that needs none.
  const redeemed = (await redeemToken(tx, { ...presented, binding })) ?? (await redeemToken(tx, presented));
  return redeemed?.subject ?? null;
}
