import { getTranslations } from "next-intl/server";
import { ConfigFormOnDemand } from "@/components/auth-providers/config-form-on-demand";
import { ProviderBadge } from "@/components/auth-providers/provider-list";
import { ProviderNav } from "@/components/auth-providers/provider-nav";
import { ProviderTest } from "@/components/auth-providers/provider-test";
import { ProviderUris } from "@/components/auth-providers/provider-uris";
import { Card, CardContent, CardDescription, CardHeader, CardTitle } from "@/components/ui/card";
import { call } from "@/lib/api/call";
import { getAppleConfig } from "@/lib/features/auth-providers/operations/get-apple-config";
import { getAuthProviders } from "@/lib/features/auth-providers/operations/get-auth-providers";
import { getAzureConfig } from "@/lib/features/auth-providers/operations/get-azure-config";
import { getGithubConfig } from "@/lib/features/auth-providers/operations/get-github-config";
import { getGitlabConfig } from "@/lib/features/auth-providers/operations/get-gitlab-config";
import { getGoogleConfig } from "@/lib/features/auth-providers/operations/get-google-config";
import { administeredProviders } from "@/lib/features/auth-providers/rules";
import { type SsoProviderName, ssoProviderSchema } from "@/lib/features/auth-providers/schema";
import type { SearchParams } from "@/lib/kernel/navigation/search-params";
import { AppConfigFrame } from "./app-config-frame";

/** The form of a provider with its current configuration. */
async function ProviderConfig({ provider, configured }: { provider: SsoProviderName; configured: boolean }) {
  switch (provider) {
    case "apple":
      return <ConfigFormOnDemand provider={provider} config={configured ? await call(getAppleConfig, {}) : null} />;
    case "azure":
      return <ConfigFormOnDemand provider={provider} config={configured ? await call(getAzureConfig, {}) : null} />;
    case "github":
      return <ConfigFormOnDemand provider={provider} config={configured ? await call(getGithubConfig, {}) : null} />;
    case "gitlab":
      return <ConfigFormOnDemand provider={provider} config={configured ? await call(getGitlabConfig, {}) : null} />;
    case "google":
      return <ConfigFormOnDemand provider={provider} config={configured ? await call(getGoogleConfig, {}) : null} />;
  }
}

export async function ConfigureSsoTab({ query }: { query: SearchParams }) {
  const t = await getTranslations("authProviders");
  const names = await getTranslations("users.providers");
  const provider = ssoProviderSchema.catch("apple").parse(query.provider);
  const { items } = await call(getAuthProviders, {});
  const state = administeredProviders(items).find((one) => one.provider === provider);
  if (!state) return null;
  return (
    <AppConfigFrame current="configureSso">
      <ProviderNav current={provider} />
      <div className="grid items-start gap-4 lg:grid-cols-2">
        <Card>
          <CardHeader>
            <CardTitle className="flex flex-wrap items-center justify-between gap-2">
              {t("signInWith", { provider: names(provider) })}
              <ProviderBadge {...state} />
            </CardTitle>
            <CardDescription>{t(`configure.where.${provider}`)}</CardDescription>
          </CardHeader>
          <CardContent>
            <ProviderConfig key={provider} provider={provider} configured={state.configured} />
          </CardContent>
        </Card>
        <div className="flex min-w-0 flex-col gap-4">
          <ProviderUris {...state} />
          <ProviderTest key={provider} provider={provider} configured={state.configured} />
        </div>
      </div>
    </AppConfigFrame>
  );
}
