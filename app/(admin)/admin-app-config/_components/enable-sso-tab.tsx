import { ProviderList } from "@/components/auth-providers/provider-list";
import { call } from "@/lib/api/call";
import { getAuthProviders } from "@/lib/features/auth-providers/operations/get-auth-providers";
import { administeredProviders } from "@/lib/features/auth-providers/rules";
import { AppConfigFrame } from "./app-config-frame";

export async function EnableSsoTab() {
  const { items } = await call(getAuthProviders, {});
  return (
    <AppConfigFrame current="enableSso">
      <ProviderList providers={administeredProviders(items)} />
    </AppConfigFrame>
  );
}
