import { call } from "@/lib/api/call";
import { getAuthProviders } from "@/lib/features/auth-providers/operations/get-auth-providers";
import type { AdministeredProvider } from "@/lib/features/auth-providers/schema";

/** All providers with the data that administrators see. */
export async function administeredProviders(): Promise<AdministeredProvider[]> {
  const { items } = await call(getAuthProviders, {});
  return items as AdministeredProvider[];
}
