import type { Bench } from "./bench.ts";

/** Returns the paths of the screens that exist. `/` is the sign-in page, which is requested without a session. */
export async function screensOf(bench: Bench): Promise<string[]> {
  const app = `app=${bench.appId}`;
  const place = `${app}&environment=${bench.environmentId}`;
  const screens = [
    "/",
    "/home",
    "/profile",
    "/admin-dashboard",
    "/admin-apps",
    "/admin-platforms",
    "/admin-app-config",
    "/admin-users",
    "/admin-roles",
    "/admin-permissions",
    "/admin-logs",
    "/admin-devices",
    "/admin-health",
    "/admin-storage",
    "/admin-webhooks",
    "/devices",
    "/expiry",
    `/registered-app?${app}`,
    `/environment-app?${place}`,
    `/testing-deploys?${place}`,
    `/dev-variables?${place}`,
    `/manage-dev-variables?${place}`,
    `/app-environments?${app}`,
    `/manage-app-environments?${app}`,
    `/manage-testing-deploys?${place}`,
    `/releases?${app}`,
    `/releases?id=${bench.releaseId}`,
    "/api/docs",
  ];
  const existing: string[] = [];
  for (const screen of screens) {
    const headers: Record<string, string> = screen === "/" ? {} : { cookie: bench.cookie };
    const page = await fetch(bench.baseUrl + screen, { headers, redirect: "manual" });
    await page.arrayBuffer();
    if (page.status === 200) existing.push(screen);
    else if (page.status !== 404) throw new Error(`${screen} returned ${page.status}`);
  }
  return existing;
}

/** Returns a name for a screen: its path, and whether it shows a single release. */
export function nameOf(screen: string): string {
  const { pathname, searchParams } = new URL(screen, "http://localhost");
  return searchParams.has("id") ? `${pathname}, one of them` : pathname;
}
