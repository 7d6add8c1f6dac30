import { Fingerprint, Info, KeyRound, Settings2 } from "lucide-react";
import { getTranslations } from "next-intl/server";
import type { ReactNode } from "react";
import { currentTab, type PageTab, TabbedPage } from "@/components/common/navigation/tabbed-page";
import type { Messages } from "@/lib/kernel/i18n/translator";

const PATH = "/admin-app-config";

type Tab = keyof Messages["appConfig"]["tabs"];

/** The tabs in order. */
const TABS: readonly [PageTab<Tab>, ...PageTab<Tab>[]] = [
  { key: "info", icon: <Info aria-hidden /> },
  { key: "enableSso", tab: "enable-sso", icon: <Fingerprint aria-hidden /> },
  { key: "configureSso", tab: "configure-sso", icon: <Settings2 aria-hidden /> },
  { key: "apiTokens", tab: "api-tokens", icon: <KeyRound aria-hidden /> },
];

/** The tab that the page's URL selects. */
export function appConfigTab(tab: string | string[] | undefined): Tab {
  return currentTab(TABS, tab);
}

export type AppConfigFrameProps = { current: Tab; action?: ReactNode; children: ReactNode };

/** The head of the settings around the content of a tab. */
export async function AppConfigFrame({ current, action, children }: AppConfigFrameProps) {
  const t = await getTranslations("appConfig");
  return (
    <TabbedPage
      title={t("title")}
      description={t("description")}
      action={action}
      path={PATH}
      tabs={TABS}
      current={current}
      labelOf={(key) => t(`tabs.${key}`)}
    >
      {children}
    </TabbedPage>
  );
}
