import "server-only";
import { defineCommand } from "@/lib/api/operation";
import type { Changes } from "@/lib/audit/write";
import { beginSession, recordSignIn } from "@/lib/features/auth/data";
import { signedInSchema } from "@/lib/features/auth/schema";
import { redeemCode } from "@/lib/features/tool-sign-in/internal/code";
import { ApiError } from "@/lib/kernel/errors";
import { findLiveSession } from "../data";
import { createToolSessionInput } from "../schema";

/**
 * Begins the session of a command-line tool with the code that authorize-tool gave it. It is a session of its own, which the
 * person sees and ends in their profile. It knows of the second factor what the session of the browser knew, and ends with it at
 * the latest: otherwise, a session could renew itself without a sign-in.
 */
export const createToolSession = defineCommand({
  area: "auth",
  name: "create-tool-session",
  summary: "Begin the session of a command-line tool with the code of authorize-tool",
  access: "public",
  input: createToolSessionInput,
  output: signedInSchema,
  status: 200,
  errors: ["invalid_token"],
  rateLimit: { points: 60, seconds: 60, by: "address" },
  audit: { table: "Session", action: "sign-in" },
  async handler(context) {
    const { input, tx, request } = context;
    const refused = () => new ApiError("invalid_token", { detailKey: "detailTool" });
    const sessionId = await redeemCode(tx, input, request.now);
    if (sessionId === null) throw refused();
    const found = await findLiveSession(tx, sessionId, request.now);
    const user = found && (await recordSignIn(tx, { userId: found.userId, at: request.now }));
    // The person may have signed out since they confirmed. The lock of recordSignIn orders this and a sign-out everywhere.
    const authorizing = user && (await findLiveSession(tx, sessionId, request.now));
    if (!user || !authorizing) throw refused();
    const { method, absoluteExpiresAt, secondFactorAt: at, secondFactorConfirmedAt: confirmedAt } = authorizing;
    const changes = { authorizedBy: [null, sessionId] } satisfies Changes;
    return beginSession(context, { user, method, secondFactor: { at, confirmedAt }, absoluteExpiresAt, changes });
  },
});
