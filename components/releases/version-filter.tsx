"use client";

import { useTranslations } from "next-intl";
import { useCallback } from "react";
import { SearchFilter } from "@/components/common/data-table/search-filter";
import { query } from "@/lib/client/client";

/** Number of versions that a search shows. */
const SHOWN_VERSIONS = 50;

/** The releases of an environment, or those of an application in all environments that the user has access to. */
export type VersionFilterProps = { appId: string; environmentId?: string };

/** Filters a list of releases by version. */
export function VersionFilter({ appId, environmentId }: VersionFilterProps) {
  const t = useTranslations("releases");
  const search = useCallback(
    async (text: string, signal: AbortSignal) => {
      const input = { appId, environmentId, search: text || undefined, limit: SHOWN_VERSIONS };
      const { items } = await query("apps/get-testing-deploy-versions", input, { signal });
      return items.map(({ version }) => ({ value: version, label: version }));
    },
    [appId, environmentId],
  );
  return <SearchFilter name="version" label={t("filters.version")} search={search} />;
}
