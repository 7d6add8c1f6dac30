import "server-only";
import type { SsoProvider } from "@/lib/auth/providers";
import type { Db } from "@/lib/db/client";

/** The provider that a session began with; null if it began at the console itself. */
export async function providerOfSession(db: Db, sessionId: string): Promise<SsoProvider | null> {
  const session = await db.session.findUnique({
    where: { id: sessionId },
    select: { method: true, user: { select: { provider: true } } },
  });
  if (session?.method !== "sso" || session.user.provider === "email") return null;
  return session.user.provider;
}
