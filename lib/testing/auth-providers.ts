import {
  type ConfigOf,
  type SsoConfig,
  type SsoProvider,
  saveProviderConfig,
  setProviderEnabled,
} from "@/lib/auth/providers";
import { db } from "@/lib/db/client";
import { anAppleKey } from "./apple-key";
import { CANARIES } from "./world";

const clientSecret = CANARIES[2];

/** Configures a provider with the given values over defaults. Its client secret is a canary. */
export async function aProviderConfig<P extends SsoProvider>(
  provider: P,
  values: Partial<ConfigOf<P>> = {},
  options: { enabled?: boolean } = {},
): Promise<void> {
  const defaults = {
    apple: () => ({
      clientId: "com.acme.sign-in",
      teamId: "TEAM123456",
      keyId: "KEY1234567",
      privateKey: anAppleKey(),
    }),
    azure: () => ({ clientId: "client", clientSecret, authority: "https://login.microsoftonline.com/acme.com" }),
    github: () => ({ clientId: "client", clientSecret }),
    gitlab: () => ({ clientId: "client", clientSecret }),
    google: () => ({ clientId: "client", clientSecret }),
  }[provider]();
  await saveProviderConfig(db, { provider, ...defaults, ...values } as SsoConfig);
  await setProviderEnabled(db, provider, options.enabled ?? false);
}

/** Deletes the configuration of a provider. */
export async function noProviderConfig(provider: SsoProvider): Promise<void> {
  await db.authProvider.deleteMany({ where: { provider } });
}
