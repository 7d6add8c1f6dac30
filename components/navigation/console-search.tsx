"use client";

import { useTranslations } from "next-intl";
import { useCallback } from "react";
import type { SearchFunction } from "@/components/shell/types";
import { Avatar } from "@/components/ui/avatar";
import { fullName } from "@/components/users/full-name";
import { query } from "@/lib/client/client";
import { appPath } from "./navigation";

/** So many of each kind does one search show. */
const FOUND = 6;

/** Searches the applications that the person reaches and, for an administrator, the users. */
export function useConsoleSearch(isAdmin: boolean): SearchFunction {
  const t = useTranslations("nav.search");
  return useCallback(
    async (search, signal) => {
      const input = { search, limit: FOUND };
      const [apps, users] = await Promise.all([
        query(isAdmin ? "apps/get-apps" : "apps/get-authorized-apps", input, { signal }),
        isAdmin ? query("auth/get-users", input, { signal }) : { items: [] },
      ]);
      return [
        ...apps.items.map((app) => ({
          id: `app:${app.id}`,
          group: t("apps"),
          label: app.name,
          description: app.identifier,
          icon: <Avatar shape="square" name={app.name} src={app.logoUrl} className="size-5.5 text-[0.625rem]" />,
          href: appPath(app.id, isAdmin),
        })),
        ...users.items.map((user) => {
          const name = fullName(user);
          return {
            id: `user:${user.id}`,
            group: t("users"),
            label: name,
            description: user.email,
            icon: <Avatar name={name} src={user.avatarUrl} className="size-5.5 text-[0.625rem]" />,
            href: `/admin-users?search=${encodeURIComponent(user.email)}`,
          };
        }),
      ];
    },
    [isAdmin, t],
  );
}
