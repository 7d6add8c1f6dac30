"use client";

import { useTranslations } from "next-intl";
import { useCallback } from "react";
import type { SearchFunction } from "@/components/shell/types";
import { Avatar } from "@/components/ui/avatar";
import { query } from "@/lib/api/client";
import { appPath } from "./navigation";

/** So many applications does one search show. */
const FOUND_APPS = 8;

/** Searches the applications that the person reaches, by name and identifier. */
export function useAppSearch(isAdmin: boolean): SearchFunction {
  const t = useTranslations("nav.search");
  return useCallback(
    async (text, signal) => {
      const path = isAdmin ? "apps/get-apps" : "apps/get-authorized-apps";
      const { items } = await query(path, { search: text, limit: FOUND_APPS }, { signal });
      return items.map((app) => ({
        id: `app:${app.id}`,
        group: t("apps"),
        label: app.name,
        description: app.identifier,
        icon: <Avatar shape="square" name={app.name} src={app.logoUrl} className="size-5.5 text-[0.625rem]" />,
        href: appPath(app.id, isAdmin),
      }));
    },
    [isAdmin, t],
  );
}
