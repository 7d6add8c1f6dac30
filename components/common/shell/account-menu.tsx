"use client";

import { LogOut, UserRound } from "lucide-react";
import { useTranslations } from "next-intl";
import { Menu } from "@/components/common/menu";
import { Avatar } from "@/components/ui/avatar";
import type { ShellSession } from "./types";

export type AccountMenuProps = {
  session: ShellSession;
  profileHref: string;
  onSignOut: () => void;
};

/** The menu of the signed-in user: profile and sign-out. */
export function AccountMenu({ session, profileHref, onSignOut }: AccountMenuProps) {
  const t = useTranslations("shell.account");
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
          items: [
            { label: t("profile"), icon: <UserRound aria-hidden />, href: profileHref },
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
