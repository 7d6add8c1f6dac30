import type { Bench } from "./bench.ts";

/** The screens, each as an address of this bench's console; `/` is the sign-in, for nobody who has a session. */
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
    "/admin-audit",
    `/registered-app?${app}`,
    `/environment-app?${place}`,
    `/testing-deploys?${place}`,
    `/app-environments?${app}`,
    `/manage-app-environments?${app}`,
    `/manage-testing-deploys?${place}`,
    `/releases?${app}`,
    `/releases?id=${bench.releaseId}`,
    "/api/docs",
  ];
  const there: string[] = [];
  for (const screen of screens) {
    const headers: Record<string, string> = screen === "/" ? {} : { cookie: bench.cookie };
    const page = await fetch(bench.baseUrl + screen, { headers, redirect: "manual" });
    await page.arrayBuffer();
    if (page.status === 200) there.push(screen);
    else if (page.status !== 404) throw new Error(`${screen} was answered with ${page.status}`);
  }
  return there;
}

/** A screen's path, with what tells it from others of the same path. */
export function nameOf(screen: string): string {
  const { pathname, searchParams } = new URL(screen, "http://localhost");
  return searchParams.has("id") ? `${pathname}, one of them` : pathname;
}
