import { Fingerprint, ShieldCheck, UserRound } from "lucide-react";
import { getTranslations } from "next-intl/server";
import type { ReactNode } from "react";
import { PageHeader } from "@/components/common/page-header";
import { LinkTabs } from "@/components/navigation/link-tabs";
import type { Messages } from "@/lib/i18n/translator";

const PATH = "/profile";

type Tab = keyof Messages["profile"]["tabs"];

/** The tabs in their order, with the value of `tab` in their address and their icon. */
const TABS: readonly { key: Tab; tab?: string; icon: ReactNode }[] = [
  { key: "profile", icon: <UserRound aria-hidden /> },
  { key: "twoFactor", tab: "two-factor", icon: <ShieldCheck aria-hidden /> },
  { key: "passkeys", tab: "passkeys", icon: <Fingerprint aria-hidden /> },
];

/** Which tab an address asks for; the first where it asks for none that there is. */
export function currentTab(tab: string | string[] | undefined): Tab {
  return TABS.find((candidate) => candidate.tab !== undefined && candidate.tab === tab)?.key ?? "profile";
}

export type ProfileFrameProps = { current: Tab; action?: ReactNode; children?: ReactNode };

/** The head of a person's own pages around the content of one tab. */
export async function ProfileFrame({ current, action, children }: ProfileFrameProps) {
  const t = await getTranslations("profile");
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
