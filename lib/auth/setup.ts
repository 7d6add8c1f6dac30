import "server-only";
import type { Db } from "@/lib/db/client";
import { env } from "@/lib/kernel/env";
import { ApiError } from "@/lib/kernel/errors";
import { PAGES } from "@/lib/kernel/navigation/pages";
import { lockSetup } from "./first-admin";
import { issueToken, peekToken, redeemToken, revokeTokens } from "./one-time-tokens";

/** There is one setup at most, so its tokens name no subject. */
const SETUP = { purpose: "setup", subject: "" } as const;

/**
 * A new one-time setup link; those printed before are revoked. Called in a transaction, so that of several instances
 * that start together one prints the link that works.
 */
export async function newSetupLink(tx: Db, now: Date): Promise<string> {
  await lockSetup(tx);
  await revokeTokens(tx, SETUP);
  const { token } = await issueToken(tx, { ...SETUP, now });
  return `${env.APP_URL}${PAGES.setup}?token=${token}`;
}

/** The error for a setup link that is not the one printed last, or has expired. */
export function invalidSetupToken(): ApiError {
  return new ApiError("invalid_token", { detailKey: "detailSetup" });
}

/** Whether a setup link is the one that was printed last, unused and not expired. */
export async function isSetupToken(db: Db, token: string, now: Date): Promise<boolean> {
  return (await peekToken(db, { ...SETUP, token, now }))?.state === "valid";
}

/** Redeems the token of the link. @throws ApiError invalid_token if it is not valid, or another caller was faster */
export async function redeemSetupToken(tx: Db, token: string, now: Date): Promise<void> {
  if ((await redeemToken(tx, { ...SETUP, token, now })) === null) throw invalidSetupToken();
}
