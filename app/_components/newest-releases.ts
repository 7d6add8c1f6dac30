import { call } from "@/lib/api/call";
import { getPlatforms } from "@/lib/features/platforms/operations/get-platforms";
import { getTestingDeploys } from "@/lib/features/releases/operations/get-testing-deploys";
import { getTestingDeploysByApp } from "@/lib/features/releases/operations/get-testing-deploys-by-app";
import type { Release } from "@/lib/features/releases/schema";
import type { Scope } from "@/lib/permissions/scopes";

/** Number of an app's latest releases, and of platforms, that are loaded at once. */
const LATEST_RELEASES = 50;
const PLATFORMS = 100;

/**
 * The latest release of each platform in each of an app's environments that the caller can read.
 *
 * The app's latest releases contain nearly all of them. Older ones are loaded one by one.
 */
export async function newestReleases(
  appId: string,
  environments: readonly { id: string; scopes: readonly Scope[] }[],
): Promise<Release[]> {
  const readable = environments.filter(({ scopes }) => scopes.includes("release:read"));
  if (readable.length === 0) return [];
  const latest = await call(getTestingDeploysByApp, { appId, limit: LATEST_RELEASES });
  const newest = new Map<string, Release>();
  // The list is sorted newest first, so the first one of each environment and platform is the latest.
  for (const release of latest.items) {
    const place = placeOf(release.environment.id, release.platform.id);
    if (!newest.has(place)) newest.set(place, release);
  }
  if (latest.nextCursor) {
    const platforms = await call(getPlatforms, { limit: PLATFORMS });
    const missing = readable
      .flatMap((environment) =>
        platforms.items.map((platform) => ({ environmentId: environment.id, platformId: platform.id })),
      )
      .filter(({ environmentId, platformId }) => !newest.has(placeOf(environmentId, platformId)));
    const older = await Promise.all(missing.map((place) => call(getTestingDeploys, { ...place, limit: 1 })));
    for (const release of older.flatMap(({ items }) => items)) {
      newest.set(placeOf(release.environment.id, release.platform.id), release);
    }
  }
  const shown = new Set(readable.map(({ id }) => id));
  return [...newest.values()]
    .filter(({ environment }) => shown.has(environment.id))
    .sort((a, b) => a.platform.name.localeCompare(b.platform.name));
}

function placeOf(environmentId: string, platformId: string): string {
  return `${environmentId} ${platformId}`;
}
