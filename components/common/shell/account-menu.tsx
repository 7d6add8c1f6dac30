"use client";

import { BookOpen, CircleHelp, Compass, LogOut, TabletSmartphone, UserRound } from "lucide-react";
import { useTranslations } from "next-intl";
import { Menu } from "@/components/common/menu";
import { startTour } from "@/components/common/tour/tour-progress";
import { Avatar } from "@/components/ui/avatar";
import { PAGES } from "@/lib/kernel/navigation/pages";
import type { ShellSession } from "./types";

export type AccountMenuProps = {
  session: ShellSession;
  profileHref: string;
  onSignOut: () => void;
};

/** The menu of the signed-in user: help, profile, own devices and sign-out. Testers have no other navigation. */
export function AccountMenu({ session, profileHref, onSignOut }: AccountMenuProps) {
  const t = useTranslations("shell.account");
  const pages = useTranslations("nav.pages");
  const name = `${session.firstNames} ${session.lastNames}`.trim();
  return (
    <Menu
      align="end"
      className="w-60"
      header={
        <div className="flex flex-col gap-0.5">
          <span className="truncate font-medium">{name}</span>
          <span className="truncate text-muted-foreground text-xs">{session.email}</span>
          <span className="truncate text-muted-foreground text-xs">{session.roleName}</span>
        </div>
      }
      sections={[
        {
          label: t("help"),
          items: [
            ...(session.isAdmin ? [{ label: t("tour"), icon: <Compass aria-hidden />, onSelect: startTour }] : []),
            { label: t("docs"), icon: <CircleHelp aria-hidden />, href: PAGES.docs },
            { label: t("apiReference"), icon: <BookOpen aria-hidden />, href: PAGES.apiReference },
          ],
        },
        {
          items: [
            { label: t("profile"), icon: <UserRound aria-hidden />, href: profileHref },
            { label: pages("devices"), icon: <TabletSmartphone aria-hidden />, href: PAGES.devices },
            { label: t("signOut"), icon: <LogOut aria-hidden />, onSelect: onSignOut },
          ],
        },
      ]}
      trigger={
        <button
          type="button"
          aria-label={t("label", { name })}
          className="flex size-11 items-center justify-center rounded-full lg:size-8"
        >
          <Avatar name={name} src={session.avatarUrl} className="size-8 lg:size-7" />
        </button>
      }
    />
  );
}
