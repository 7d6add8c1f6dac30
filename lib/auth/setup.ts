import "server-only";
import type { Db } from "@/lib/db/client";
import { hashToken, randomToken } from "@/lib/kernel/crypto/tokens";
import { env } from "@/lib/kernel/env";
import { ApiError } from "@/lib/kernel/errors";
import { newId } from "@/lib/kernel/ids";

const PURPOSE = "setup";
/** Long enough to come back to it the next morning; the next start prints a fresh one. */
const SETUP_HOURS = 24;

/** A new one-time setup link; those printed before stop working. */
export async function newSetupLink(db: Db, now: Date): Promise<string> {
  const token = randomToken();
  await db.oneTimeToken.deleteMany({ where: { purpose: PURPOSE } });
  await db.oneTimeToken.create({
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

/** @throws ApiError invalid_token where the link is not the one that was printed last, or too old */
export async function requireSetupToken(db: Db, token: string, now: Date): Promise<void> {
  const count = await db.oneTimeToken.count({
    where: { hash: hashToken(token), purpose: PURPOSE, usedAt: null, expiresAt: { gt: now } },
  });
  if (count === 0) throw new ApiError("invalid_token", { detailKey: "detailSetup" });
}

/** Uses the link up, in one conditional update. @throws ApiError invalid_token where another was faster */
export async function spendSetupToken(tx: Db, token: string, now: Date): Promise<void> {
  const { count } = await tx.oneTimeToken.updateMany({
    where: { hash: hashToken(token), purpose: PURPOSE, usedAt: null, expiresAt: { gt: now } },
    data: { usedAt: now },
  });
  if (count === 0) throw new ApiError("invalid_token", { detailKey: "detailSetup" });
}
