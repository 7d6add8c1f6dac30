import "server-only";
import type { Db } from "@/lib/db/client";
import { hashToken, randomToken } from "@/lib/kernel/crypto/tokens";
import { env } from "@/lib/kernel/env";
import { ApiError } from "@/lib/kernel/errors";
import { newId } from "@/lib/kernel/ids";
import { lockSetup } from "./first-admin";

const PURPOSE = "setup";
/** Long enough to come back to it the next morning; the next start prints a fresh one. */
const SETUP_HOURS = 24;

/**
 * A new one-time setup link; those printed before stop working. Called in a transaction, so that of several instances
 * that start together one prints the link that works.
 */
export async function newSetupLink(tx: Db, now: Date): Promise<string> {
  await lockSetup(tx);
  const token = randomToken();
  await tx.oneTimeToken.deleteMany({ where: { purpose: PURPOSE } });
  await tx.oneTimeToken.create({
    data: {
      id: newId(),
      purpose: PURPOSE,
      subject: "",
      hash: hashToken(token),
      expiresAt: new Date(now.getTime() + SETUP_HOURS * 3_600_000),
    },
  });
  return `${env.APP_URL}/setup?token=${token}`;
}

/** What makes a setup link work. */
function working(token: string, now: Date) {
  return { hash: hashToken(token), purpose: PURPOSE, usedAt: null, expiresAt: { gt: now } };
}

/** That a setup link is not the one that was printed last, or is too old. */
export function invalidSetupToken(): ApiError {
  return new ApiError("invalid_token", { detailKey: "detailSetup" });
}

/** Whether a setup link is the one that was printed last, unused and not too old. */
export async function isSetupToken(db: Db, token: string, now: Date): Promise<boolean> {
  return (await db.oneTimeToken.count({ where: working(token, now) })) === 1;
}

/** Uses the link up, in one conditional update. @throws ApiError invalid_token where another was faster */
export async function spendSetupToken(tx: Db, token: string, now: Date): Promise<void> {
  const { count } = await tx.oneTimeToken.updateMany({ where: working(token, now), data: { usedAt: now } });
  if (count === 0) throw invalidSetupToken();
}
