import type { SsoProviderName } from "@/lib/features/auth-providers/schema";

/** The tab that switches providers on and off. */
export const ENABLE_PATH = "/admin-app-config?tab=enable-sso";

/** The configuration of one provider. */
export function configurePath(provider: SsoProviderName): string {
  return `/admin-app-config?tab=configure-sso&provider=${provider}`;
}
