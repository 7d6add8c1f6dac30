import type { Metadata } from "next";
import dynamic from "next/dynamic";
import { getTranslations } from "next-intl/server";
import { currentTab } from "@/components/common/navigation/tabbed-page";
import { requireUser } from "@/lib/api/call";
import type { QueryPageProps } from "@/lib/kernel/navigation/search-params";
import { PROFILE_TABS } from "./_components/profile-frame";

// The server loads only the tab that is shown; browsers load the code of all (docs/decisions/054).
const MyProfileTab = dynamic(() => import("./_components/my-profile-tab").then((file) => file.MyProfileTab));
const PasskeysTab = dynamic(() => import("./_components/passkeys-tab").then((file) => file.PasskeysTab));
const TwoFactorTab = dynamic(() => import("./_components/two-factor-tab").then((file) => file.TwoFactorTab));

export async function generateMetadata({ searchParams }: QueryPageProps): Promise<Metadata> {
  const [t, { tab }] = await Promise.all([getTranslations("profile"), searchParams]);
  return { title: `${t(`tabs.${currentTab(PROFILE_TABS, tab)}`)} · ${t("title")}` };
}

export default async function ProfilePage({ searchParams }: QueryPageProps) {
  await requireUser();
  const query = await searchParams;
  const tab = currentTab(PROFILE_TABS, query.tab);
  if (tab === "twoFactor") return <TwoFactorTab query={query} />;
  return tab === "passkeys" ? <PasskeysTab /> : <MyProfileTab />;
}
