"use client";

import { useTranslations } from "next-intl";
import { useCallback } from "react";
import type { SearchFunction } from "@/components/common/shell/types";

/** The search of the command palette. Its code is loaded with the first search. */
export function useConsoleSearch(isAdmin: boolean): SearchFunction {
  const t = useTranslations("nav.search");
  const variables = useTranslations("variables.title");
  const certificates = useTranslations("certificates");
  return useCallback(
    async (search, signal) => {
      const { searchConsole } = await import("./search-console");
      const labels = {
        development: variables("dev-variable"),
        secure: variables("secure-variable"),
        certificates: certificates("title"),
      };
      return searchConsole({ isAdmin, t, labels }, search, signal);
    },
    [isAdmin, t, variables, certificates],
  );
}
