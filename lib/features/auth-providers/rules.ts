import { createPrivateKey } from "node:crypto";
import type { AdministeredProvider, AuthProvider } from "./schema";

/**
 * A private key as Apple gives it out (`AuthKey_….p8`): PKCS#8 in PEM, on the curve P-256.
 * @param text as it was pasted: any line ends, or `\n` written out as in a JSON or .env file
 * @returns the key in PEM with plain line ends; null for anything else
 */
export function normalizeAppleKey(text: string): string | null {
  const pem = text.replaceAll("\\n", "\n").replaceAll(/\r\n?/g, "\n").trim();
  if (!/^-----BEGIN PRIVATE KEY-----\n[\s\S]*\n-----END PRIVATE KEY-----$/.test(pem)) return null;
  try {
    const key = createPrivateKey({ key: pem, format: "pem" });
    return key.asymmetricKeyDetails?.namedCurve === "prime256v1" ? `${pem}\n` : null;
  } catch {
    return null;
  }
}

/** The providers with all that administrators see; a provider without it is left out. */
export function administeredProviders(providers: readonly AuthProvider[]): AdministeredProvider[] {
  return providers.filter((provider): provider is AdministeredProvider => provider.configured !== undefined);
}
