import { Fingerprint, ShieldCheck, UserRound } from "lucide-react";
import { getTranslations } from "next-intl/server";
import type { ReactNode } from "react";
import { currentTab, type PageTab, TabbedPage } from "@/components/common/navigation/tabbed-page";
import type { Messages } from "@/lib/kernel/i18n/translator";

const PATH = "/profile";

type Tab = keyof Messages["profile"]["tabs"];

/** The tabs in order. */
const TABS: readonly [PageTab<Tab>, ...PageTab<Tab>[]] = [
  { key: "profile", icon: <UserRound aria-hidden /> },
  { key: "twoFactor", tab: "two-factor", icon: <ShieldCheck aria-hidden /> },
  { key: "passkeys", tab: "passkeys", icon: <Fingerprint aria-hidden /> },
];

/** The tab that the page's URL selects. */
export function profileTab(tab: string | string[] | undefined): Tab {
  return currentTab(TABS, tab);
}

export type ProfileFrameProps = { current: Tab; action?: ReactNode; children?: ReactNode };

/** The head of the profile around the content of a tab. */
export async function ProfileFrame({ current, action, children }: ProfileFrameProps) {
  const t = await getTranslations("profile");
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
