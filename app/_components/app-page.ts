import { redirect } from "next/navigation";
import { cache } from "react";
import { call } from "@/lib/api/call";
import { getApp } from "@/lib/features/apps/operations/get-app";
import type { SearchParams } from "@/lib/kernel/navigation/search-params";

const loadApp = cache((id: string) => call(getApp, { id }));

/**
 * The application that a page's query names, loaded once per request.
 *
 * @param fallback the path to redirect to if the query names none
 */
export async function appOfPage(query: SearchParams, fallback: string) {
  const id = query.app;
  if (id === undefined) redirect(fallback);
  return loadApp(String(id));
}
