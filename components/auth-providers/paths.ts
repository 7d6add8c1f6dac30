import type { SsoProviderName } from "@/lib/features/auth-providers/schema";

/** The tab that turns providers on and off. */
export const ENABLE_PATH = "/admin-app-config?tab=enable-sso";

/** The path of a provider's configuration. */
export function configurePath(provider: SsoProviderName): string {
  return `/admin-app-config?tab=configure-sso&provider=${provider}`;
}
