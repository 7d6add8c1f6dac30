import "server-only";
import type { Db } from "@/lib/db/client";
import { hashToken, randomToken } from "@/lib/kernel/crypto/tokens";
import { newId } from "@/lib/kernel/ids";

const PURPOSE = "sso";

/** How long a person's browser has to come from the provider's answer to its session. */
export const TICKET_SECONDS = 60;

/** What opens one session: the state travels in the address, the binding in a cookie that no script reads. */
export interface Ticket {
  state: string;
  /** Null for a command-line tool, which has no cookies. */
  binding: string | null;
}

function hashOf({ state, binding }: Ticket): Uint8Array<ArrayBuffer> {
  return hashToken(`${state}.${binding ?? ""}`);
}

/** Issues a ticket for a user; only its hash is kept. @param bound whether a browser's cookie has to come with it */
export async function issueTicket(tx: Db, userId: string, bound: boolean, now: Date): Promise<Ticket> {
  const ticket = { state: randomToken(), binding: bound ? randomToken() : null };
  const expiresAt = new Date(now.getTime() + TICKET_SECONDS * 1000);
  await tx.oneTimeToken.create({
    data: { id: newId(), purpose: PURPOSE, subject: userId, hash: hashOf(ticket), expiresAt },
  });
  return ticket;
}

/** Uses a ticket up. @returns the user's id; null where it is unknown, used, too old or another browser's */
export async function spendTicket(tx: Db, ticket: Ticket, now: Date): Promise<string | null> {
  const hashes = [hashOf(ticket), hashOf({ state: ticket.state, binding: null })];
  const [spent] = await tx.oneTimeToken.updateManyAndReturn({
    where: { hash: { in: hashes }, purpose: PURPOSE, usedAt: null, expiresAt: { gt: now } },
    data: { usedAt: now },
    select: { subject: true },
  });
  return spent?.subject ?? null;
}
