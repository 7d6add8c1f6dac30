import type { FieldIssue } from "@/lib/kernel/errors";
import { type Scope, withImplied } from "@/lib/permissions/scopes";
import type { ChosenApps } from "./schema";

/** One place that a permission names: an environment, or (null) all of an app. */
export interface Target {
  appId: string;
  environmentId: string | null;
}

/**
 * The places that a choice of apps names, each once. An app that is named several times counts with all that is named
 * of it, and as a whole where one of them says so.
 * @returns null where no app is named, which means all
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
 * What a choice names that is not there, by its path in the input.
 * @param appIds the apps that there are
 * @param appOf the app of each environment that there is
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

/** Whether two permissions give exactly the same: what their scopes imply included, in whatever order they name it. */
export function givesTheSame(
  a: { scopes: readonly Scope[]; targets: readonly Target[] | null },
  b: { scopes: readonly Scope[]; targets: readonly Target[] | null },
): boolean {
  const asText = ({ scopes, targets }: typeof a) =>
    JSON.stringify([
      withImplied(scopes),
      targets?.map(({ appId, environmentId }) => `${appId}/${environmentId ?? "*"}`).sort() ?? "all",
    ]);
  return asText(a) === asText(b);
}
