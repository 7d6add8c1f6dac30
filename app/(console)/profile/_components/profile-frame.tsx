import { Fingerprint, ShieldCheck, UserRound } from "lucide-react";
import { getTranslations } from "next-intl/server";
import type { ReactNode } from "react";
import { type PageTab, TabbedPage } from "@/components/common/navigation/tabbed-page";
import type { Messages } from "@/lib/kernel/i18n/translator";
import { PAGES } from "@/lib/kernel/navigation/pages";

type Tab = keyof Messages["profile"]["tabs"];

/** The tabs in order. */
export const PROFILE_TABS: readonly [PageTab<Tab>, ...PageTab<Tab>[]] = [
  { key: "profile", icon: <UserRound aria-hidden /> },
  { key: "twoFactor", tab: "two-factor", icon: <ShieldCheck aria-hidden /> },
  { key: "passkeys", tab: "passkeys", icon: <Fingerprint aria-hidden /> },
];

export type ProfileFrameProps = { current: Tab; action?: ReactNode; children?: ReactNode };

/** The head of the profile around the content of a tab. */
export async function ProfileFrame({ current, action, children }: ProfileFrameProps) {
  const t = await getTranslations("profile");
  return (
    <TabbedPage
      title={t("title")}
      description={t("description")}
      action={action}
      path={PAGES.profile}
      tabs={PROFILE_TABS}
      current={current}
      labelOf={(key) => t(`tabs.${key}`)}
    >
      {children}
    </TabbedPage>
  );
}
