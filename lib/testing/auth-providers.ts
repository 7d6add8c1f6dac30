import { generateKeyPairSync } from "node:crypto";
import {
  type ConfigOf,
  type SsoConfig,
  type SsoProvider,
  saveProviderConfig,
  setProviderEnabled,
} from "@/lib/auth/providers";
import { db } from "@/lib/db";
import { CANARIES } from "./world";

/** A private key as Apple gives it out: PKCS#8 in PEM, P-256. */
export function anAppleKey(): string {
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  return privateKey.export({ type: "pkcs8", format: "pem" }) as string;
}

const clientSecret = CANARIES[2];

/** Configures a provider with values of a test's own over made-up ones; its client secret is a canary. */
export async function aProviderConfig<P extends SsoProvider>(
  provider: P,
  values: Partial<ConfigOf<P>> = {},
  options: { enabled?: boolean } = {},
): Promise<void> {
  const made = {
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
  await saveProviderConfig(db, { provider, ...made, ...values } as SsoConfig);
  await setProviderEnabled(db, provider, options.enabled ?? false);
}

/** As if a provider had never been configured. */
export async function noProviderConfig(provider: SsoProvider): Promise<void> {
  await db.authProvider.deleteMany({ where: { provider } });
}
