import { ShieldCheck, UserCog, UsersRound } from "lucide-react";
import { getTranslations } from "next-intl/server";
import type { ReactNode } from "react";
import { LinkTabs } from "@/components/common/navigation/link-tabs";
import { PageHeader } from "@/components/common/page-header";
import { PAGES } from "@/lib/kernel/navigation/pages";

export type PeopleFrameProps = {
  current: "users" | "roles" | "permissions";
  action: ReactNode;
  children: ReactNode;
};

/** The page of the people and their access, around the content of a tab. Each tab has its own path. */
export async function PeopleFrame({ current, action, children }: PeopleFrameProps) {
  const t = await getTranslations("people");
  return (
    <>
      <PageHeader title={t("title")} description={t(`descriptions.${current}`)} action={action} />
      <LinkTabs
        label={t("title")}
        current={current}
        tabs={[
          { key: "users", label: t("tabs.users"), href: PAGES.adminUsers, icon: <UsersRound aria-hidden /> },
          { key: "roles", label: t("tabs.roles"), href: PAGES.adminRoles, icon: <UserCog aria-hidden /> },
          {
            key: "permissions",
            label: t("tabs.permissions"),
            href: PAGES.adminPermissions,
            icon: <ShieldCheck aria-hidden />,
          },
        ]}
      />
      {children}
    </>
  );
}
