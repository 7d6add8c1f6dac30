"use client";

import { useTranslations } from "next-intl";
import { useCallback } from "react";
import { SearchFilter } from "@/components/common/data-table/search-filter";
import { fullName } from "@/components/common/full-name";
import { query } from "@/lib/client/client";

/** Number of users that a search shows. */
const SHOWN_USERS = 50;

/** Filters the audit log by user. @param chosen the selected user's name, if it is known */
export function UserFilter({ chosen }: { chosen?: string }) {
  const t = useTranslations("auditLog");
  const search = useCallback(async (text: string, signal: AbortSignal) => {
    const { items } = await query("auth/get-users", { search: text || undefined, limit: SHOWN_USERS }, { signal });
    return items.map((user) => ({ value: user.id, label: fullName(user), description: user.email }));
  }, []);
  return <SearchFilter name="userId" label={t("user")} chosen={chosen} search={search} />;
}
