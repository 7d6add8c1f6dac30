"use client";

import { useTranslations } from "next-intl";
import { useCallback } from "react";
import { fullName } from "@/components/common/full-name";
import type { SearchFunction } from "@/components/common/shell/types";
import { Avatar } from "@/components/ui/avatar";
import { query } from "@/lib/client/client";
import { appPath, PAGES, pagePath } from "@/lib/kernel/navigation/pages";

/** Number of results of each kind. */
const RESULTS_PER_KIND = 6;

/** Searches the applications that the user has access to and, for administrators, the users. */
export function useConsoleSearch(isAdmin: boolean): SearchFunction {
  const t = useTranslations("nav.search");
  return useCallback(
    async (search, signal) => {
      const input = { search, limit: RESULTS_PER_KIND };
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
            href: pagePath(PAGES.adminUsers, { search: user.email }),
          };
        }),
      ];
    },
    [isAdmin, t],
  );
}
