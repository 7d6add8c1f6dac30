import "server-only";
import { SUPER_ADMIN } from "@/lib/auth/actor-types";
import type { SsoProvider } from "@/lib/auth/providers";
import { listProviders } from "@/lib/auth/providers";
import type { Db } from "@/lib/db";
import type { Provider } from "@/lib/generated/prisma/client";

/** Serialises those who configure and switch providers, over all instances. */
const PROVIDERS_LOCK = 7_301_948;

/** Until the end of the transaction, nobody else changes a provider. */
export async function lockProviders(tx: Db): Promise<void> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(${PROVIDERS_LOCK})`;
}

/**
 * Whether an active SUPER_ADMIN could sign in if only these providers were on: by e-mail with a password, by the
 * provider that they are registered with, or by a passkey, which needs none.
 */
export async function administratorsCanSignIn(db: Db, enabled: readonly Provider[]): Promise<boolean> {
  const sso = enabled.filter((provider): provider is SsoProvider => provider !== "email");
  const found = await db.user.findFirst({
    where: {
      status: "active",
      role: { name: SUPER_ADMIN },
      OR: [
        { provider: { in: sso } },
        { passkeys: { some: {} } },
        ...(enabled.includes("email") ? [{ provider: "email" as const, passwordHash: { not: null } }] : []),
      ],
    },
    select: { id: true },
  });
  return found !== null;
}

/** The providers that are on. */
export async function enabledProviders(db: Db): Promise<Provider[]> {
  const states = await listProviders(db);
  return states.filter(({ enabled }) => enabled).map(({ provider }) => provider);
}
