import { cookies, headers } from "next/headers";
import { AppBuilds } from "@/components/releases/builds/app-builds";
import { buildsView } from "@/components/releases/builds/builds-view";
import { VISITS_COOKIE } from "@/components/releases/builds/last-visit";
import { PageView } from "@/components/releases/builds/page-view";
import { SystemChips } from "@/components/releases/builds/system-chips";
import { InAppBrowserNotice } from "@/components/releases/installing/in-app-browser-notice";
import { call } from "@/lib/api/call";
import { getInstallableReleases } from "@/lib/features/releases/operations/get-installable-releases";
import type { SearchParams } from "@/lib/kernel/navigation/search-params";

export type TesterAppProps = { appId: string; environmentId?: string; query: SearchParams };

/** The build of an application for this device to install, above the list of all of them. */
export async function TesterApp({ appId, environmentId, query }: TesterAppProps) {
  const [headerStore, cookieStore, { items }] = await Promise.all([
    headers(),
    cookies(),
    call(getInstallableReleases, { appId, environmentId }),
  ]);
  const [item] = items;
  if (!item) return null;
  const visits = cookieStore.get(VISITS_COOKIE)?.value;
  const view = buildsView(query, headerStore, visits);
  return (
    <div className="flex flex-col gap-3">
      <InAppBrowserNotice rendered={view.device} />
      <PageView visits={visits} rendered={view.device} />
      <SystemChips system={view.system} />
      <AppBuilds item={item} titled {...view} />
    </div>
  );
}
