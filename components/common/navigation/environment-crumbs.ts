import type { Crumb } from "@/components/common/page-header";
import { appPath, contextPath, PAGES } from "@/lib/kernel/navigation/pages";

type Named = { id: string; name: string };

/**
 * The breadcrumbs of a page about an environment: for administrators the way through the administration, otherwise the
 * way from the start page.
 */
export function environmentCrumbs(
  { app, environment }: { app: Named; environment: Named },
  isAdmin: boolean,
  labels: { apps: string; home: string },
): Crumb[] {
  const appCrumb = { label: app.name, href: appPath(app.id, isAdmin) };
  if (!isAdmin) return [{ label: labels.home, href: PAGES.home }, appCrumb];
  return [
    { label: labels.apps, href: PAGES.adminApps },
    appCrumb,
    { label: environment.name, href: contextPath(PAGES.adminEnvironment, app.id, environment.id) },
  ];
}
