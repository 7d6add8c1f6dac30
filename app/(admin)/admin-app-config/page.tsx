import type { Metadata } from "next";
import dynamic from "next/dynamic";
import { getTranslations } from "next-intl/server";
import { currentTab } from "@/components/common/navigation/tabbed-page";
import { requireAdmin } from "@/lib/api/call";
import type { QueryPageProps } from "@/lib/kernel/navigation/search-params";
import { SETTINGS_TABS } from "./_components/app-config-frame";

// The server loads only the tab that is shown; browsers load the code of all (docs/decisions/054).
const ApiTokensTab = dynamic(() => import("./_components/api-tokens-tab").then((file) => file.ApiTokensTab));
const AppInfoTab = dynamic(() => import("./_components/app-info-tab").then((file) => file.AppInfoTab));
const ConfigureSsoTab = dynamic(() => import("./_components/configure-sso-tab").then((file) => file.ConfigureSsoTab));
const EnableSsoTab = dynamic(() => import("./_components/enable-sso-tab").then((file) => file.EnableSsoTab));
const LicenseTab = dynamic(() => import("./_components/license-tab").then((file) => file.LicenseTab));

export async function generateMetadata({ searchParams }: QueryPageProps): Promise<Metadata> {
  const [t, { tab }] = await Promise.all([getTranslations("appConfig"), searchParams]);
  return { title: `${t(`tabs.${currentTab(SETTINGS_TABS, tab)}`)} · ${t("title")}` };
}

export default async function AppConfigPage({ searchParams }: QueryPageProps) {
  await requireAdmin();
  const query = await searchParams;
  switch (currentTab(SETTINGS_TABS, query.tab)) {
    case "enableSso":
      return <EnableSsoTab />;
    case "configureSso":
      return <ConfigureSsoTab query={query} />;
    case "apiTokens":
      return <ApiTokensTab query={query} />;
    case "license":
      return <LicenseTab />;
    default:
      return <AppInfoTab />;
  }
}
