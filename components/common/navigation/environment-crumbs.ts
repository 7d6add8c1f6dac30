import type { Crumb } from "@/components/common/page-header";
import { appPath, contextPath, PAGES } from "@/lib/kernel/navigation/pages";

type Named = { id: string; name: string };

type Labels = { apps: string; home: string };

/**
 * The breadcrumbs that lead to an application: for administrators the way through the administration, otherwise the way
 * from the start page.
 */
export function appCrumbs(app: Named, isAdmin: boolean, labels: Labels): Crumb[] {
  const start = isAdmin ? { label: labels.apps, href: PAGES.adminApps } : { label: labels.home, href: PAGES.home };
  return [start, { label: app.name, href: appPath(app.id, isAdmin) }];
}

/** The breadcrumbs of a page below an environment. Only administrators have a page of the environment itself. */
export function environmentCrumbs(
  { app, environment }: { app: Named; environment: Named },
  isAdmin: boolean,
  labels: Labels,
): Crumb[] {
  const crumbs = appCrumbs(app, isAdmin, labels);
  if (!isAdmin) return crumbs;
  return [...crumbs, { label: environment.name, href: contextPath(PAGES.adminEnvironment, app.id, environment.id) }];
}
