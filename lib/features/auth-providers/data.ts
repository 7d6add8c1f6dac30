import "server-only";
import type { SsoProvider } from "@/lib/auth/providers";
import { listProviders } from "@/lib/auth/providers";
import type { Db } from "@/lib/db/client";
import type { Provider } from "@/lib/db/generated/client";
import { lockUntilCommit } from "@/lib/db/locks";
import { SUPER_ADMIN } from "@/lib/permissions/actor";

/**
 * Serialises, over all instances, changes to providers and to the sign-in methods of administrators, until the
 * transaction ends.
 */
export async function lockSignInMethods(tx: Db): Promise<void> {
  await lockUntilCommit(tx, "sign-in-methods");
}

/**
 * Whether an active SUPER_ADMIN could sign in if only these providers were on: by e-mail with a password, by the
 * provider that they are registered with, or by a passkey, which needs none.
 * @param options.invited whether to count those too who have still to choose their password by the link of a mail
 */
export async function administratorsCanSignIn(
  db: Db,
  enabled: readonly Provider[],
  options: { invited?: boolean } = {},
): Promise<boolean> {
  const sso = enabled.filter((provider): provider is SsoProvider => provider !== "email");
  const found = await db.user.findFirst({
    where: {
      status: "active",
      role: { name: SUPER_ADMIN },
      OR: [
        { provider: { in: sso } },
        { passkeys: { some: {} } },
        ...(enabled.includes("email")
          ? [{ provider: "email" as const, ...(!options.invited && { passwordHash: { not: null } }) }]
          : []),
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
