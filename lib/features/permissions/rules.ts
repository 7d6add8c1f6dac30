import type { FieldIssue } from "@/lib/kernel/errors";
import { SCOPES, type Scope, withImplied } from "@/lib/permissions/scopes";
import type { ChosenApps, PlaceAccess } from "./schema";

/** The maximum number of apps in one permission, and of environments of each app. */
export const MAX_APPS = 100;
export const MAX_ENVIRONMENTS = 200;
/** The maximum number of groups in one permission. */
export const MAX_GROUPS = 100;

/** One place of a permission: an environment, or (null) the whole app. */
export interface Target {
  appId: string;
  environmentId: string | null;
}

/**
 * The distinct places of a selection of apps. If an app occurs several times, its environments are merged; if one
 * occurrence is the whole app, the result is the whole app.
 * @returns null if no app is selected, which means all apps
 */
export function targetsOf(apps: ChosenApps): Target[] | null {
  if (apps.length === 0) return null;
  const chosen = new Map<string, Set<string> | "all">();
  for (const { appId, environmentIds } of apps) {
    const known = chosen.get(appId);
    if (environmentIds.length === 0 || known === "all") chosen.set(appId, "all");
    else chosen.set(appId, new Set([...(known ?? []), ...environmentIds]));
  }
  return [...chosen].flatMap(([appId, environments]): Target[] =>
    environments === "all"
      ? [{ appId, environmentId: null }]
      : [...environments].map((environmentId) => ({ appId, environmentId })),
  );
}

/**
 * The paths in the input of apps and environments that do not exist.
 * @param appIds the existing apps
 * @param appOf the app of each existing environment
 */
export function wrongPlaces(
  apps: ChosenApps,
  appIds: ReadonlySet<string>,
  appOf: ReadonlyMap<string, string>,
): FieldIssue[] {
  return apps.flatMap(({ appId, environmentIds }, index): FieldIssue[] => {
    if (!appIds.has(appId)) return [{ path: ["apps", index, "appId"], code: "unknown", message: "unknown" }];
    return environmentIds.flatMap((id, place): FieldIssue[] =>
      appOf.get(id) === appId
        ? []
        : [
            {
              path: ["apps", index, "environmentIds", place],
              code: "otherAppsEnvironment",
              message: "otherAppsEnvironment",
            },
          ],
    );
  });
}

/** What a permission gives, for the comparison with another one. */
interface Given {
  scopes: readonly Scope[];
  targets: readonly Target[] | null;
  groupIds?: readonly string[];
}

/** Whether two permissions have the same effect, including implied scopes and regardless of order. */
export function givesTheSame(a: Given, b: Given): boolean {
  const asText = ({ scopes, targets, groupIds = [] }: Given) =>
    JSON.stringify([
      withImplied(scopes),
      targets?.map(({ appId, environmentId }) => `${appId}/${environmentId ?? "*"}`).sort() ?? "all",
      [...groupIds].sort(),
    ]);
  return asText(a) === asText(b);
}

/** What a permission gives, and where; null means everywhere. */
export interface Grant {
  scopes: Scope[];
  targets: Target[] | null;
}

type Place = Pick<PlaceAccess, "appId" | "environmentId">;

const keyOf = ({ appId, environmentId }: Place) => `${appId ?? "*"}/${environmentId ?? "*"}`;

/** What some grants give directly at each place, by `keyOf` of the place. */
function scopesByPlace(grants: readonly Grant[]): Map<string, Place & { scopes: Set<Scope> }> {
  const byPlace = new Map<string, Place & { scopes: Set<Scope> }>();
  for (const { scopes, targets } of grants) {
    for (const place of targets ?? [{ appId: null, environmentId: null }]) {
      const given = byPlace.get(keyOf(place)) ?? { ...place, scopes: new Set<Scope>() };
      byPlace.set(keyOf(place), { ...given, scopes: new Set([...given.scopes, ...scopes]) });
    }
  }
  return byPlace;
}

/** Whether each changed place still has the scopes that its change expects, including implied ones. */
export function areAsExpected(grants: readonly Grant[], changes: readonly PlaceAccess[]): boolean {
  const byPlace = scopesByPlace(grants);
  return changes.every(({ expected, ...place }) => {
    const held = [...(byPlace.get(keyOf(place))?.scopes ?? [])];
    return expected === undefined || withImplied(held).join() === withImplied(expected).join();
  });
}

/**
 * The grants of a role after the access in some places has changed: one for each set of scopes, and one more where it holds
 * everywhere. Places that are not named keep what they have.
 */
export function changedAccess(grants: readonly Grant[], changes: readonly PlaceAccess[]): Grant[] {
  const byPlace = scopesByPlace(grants);
  for (const { appId, environmentId, scopes } of changes) {
    const place = { appId, environmentId };
    if (scopes.length === 0) byPlace.delete(keyOf(place));
    else byPlace.set(keyOf(place), { ...place, scopes: new Set(scopes) });
  }
  const groups = Map.groupBy(
    byPlace.values(),
    ({ appId, scopes }) => `${appId === null} ${withImplied([...scopes]).join()}`,
  );
  return [...groups.values()].map((places) => {
    const all = new Set(places.flatMap(({ scopes }) => [...scopes]));
    const targets = places.flatMap(({ appId, environmentId }): Target[] =>
      appId === null ? [] : [{ appId, environmentId }],
    );
    return { scopes: SCOPES.filter((scope) => all.has(scope)), targets: targets.length > 0 ? targets : null };
  });
}
