import { Fingerprint, Info, KeyRound, Settings2 } from "lucide-react";
import { getTranslations } from "next-intl/server";
import type { ReactNode } from "react";
import { PageHeader } from "@/components/common/page-header";
import { LinkTabs } from "@/components/navigation/link-tabs";
import type { Messages } from "@/lib/i18n/translator";

const PATH = "/admin-app-config";

type Tab = keyof Messages["appConfig"]["tabs"];

/** The tabs in their order, with the value of `tab` in their address and their icon. */
const TABS: readonly { key: Tab; tab?: string; icon: ReactNode }[] = [
  { key: "info", icon: <Info aria-hidden /> },
  { key: "enableSso", tab: "enable-sso", icon: <Fingerprint aria-hidden /> },
  { key: "configureSso", tab: "configure-sso", icon: <Settings2 aria-hidden /> },
  { key: "apiTokens", tab: "api-tokens", icon: <KeyRound aria-hidden /> },
];

/** Which tab an address asks for; the first where it asks for none that there is. */
export function currentTab(tab: string | string[] | undefined): Tab {
  return TABS.find((candidate) => candidate.tab !== undefined && candidate.tab === tab)?.key ?? "info";
}

export type AppConfigFrameProps = { current: Tab; action?: ReactNode; children: ReactNode };

/** The head of the settings around the content of one tab. */
export async function AppConfigFrame({ current, action, children }: AppConfigFrameProps) {
  const t = await getTranslations("appConfig");
  return (
    <>
      <PageHeader title={t("title")} description={t("description")} action={action} />
      <LinkTabs
        label={t("title")}
        current={current}
        tabs={TABS.map(({ key, tab, icon }) => ({
          key,
          label: t(`tabs.${key}`),
          href: tab ? `${PATH}?tab=${tab}` : PATH,
          icon,
        }))}
      />
      {children}
    </>
  );
}
