import "server-only";
import type { SsoProvider } from "@/lib/auth/providers";
import type { Db } from "@/lib/db/client";

/** The provider by which a session began; null where it began here. */
export async function providerOfSession(db: Db, sessionId: string): Promise<SsoProvider | null> {
  const session = await db.session.findUnique({
    where: { id: sessionId },
    select: { method: true, user: { select: { provider: true } } },
  });
  if (session?.method !== "sso" || session.user.provider === "email") return null;
  return session.user.provider;
}
