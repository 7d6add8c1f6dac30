import { ProviderList } from "@/components/auth-providers/provider-list";
import { administeredProviders } from "./administered-providers";
import { AppConfigFrame } from "./app-config-frame";

export async function EnableSsoTab() {
  return (
    <AppConfigFrame current="enableSso">
      <ProviderList providers={await administeredProviders()} />
    </AppConfigFrame>
  );
}
