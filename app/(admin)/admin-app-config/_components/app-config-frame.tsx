import { BadgeCheck, Fingerprint, Info, KeyRound, Settings2 } from "lucide-react";
import { getTranslations } from "next-intl/server";
import type { ReactNode } from "react";
import { type PageTab, TabbedPage } from "@/components/common/navigation/tabbed-page";
import type { Messages } from "@/lib/kernel/i18n/translator";
import { PAGES } from "@/lib/kernel/navigation/pages";

type Tab = keyof Messages["appConfig"]["tabs"];

/** The tabs in order. */
export const SETTINGS_TABS: readonly [PageTab<Tab>, ...PageTab<Tab>[]] = [
  { key: "info", icon: <Info aria-hidden /> },
  { key: "enableSso", tab: "enable-sso", icon: <Fingerprint aria-hidden /> },
  { key: "configureSso", tab: "configure-sso", icon: <Settings2 aria-hidden /> },
  { key: "apiTokens", tab: "api-tokens", icon: <KeyRound aria-hidden /> },
  { key: "license", tab: "license", icon: <BadgeCheck aria-hidden /> },
];

export type AppConfigFrameProps = { current: Tab; action?: ReactNode; children: ReactNode };

/** The head of the settings around the content of a tab. */
export async function AppConfigFrame({ current, action, children }: AppConfigFrameProps) {
  const t = await getTranslations("appConfig");
  return (
    <TabbedPage
      title={t("title")}
      description={t("description")}
      action={action}
      path={PAGES.adminSettings}
      tabs={SETTINGS_TABS}
      current={current}
      labelOf={(key) => t(`tabs.${key}`)}
    >
      {children}
    </TabbedPage>
  );
}
