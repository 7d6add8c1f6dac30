import type { PlaceAccess, RolePermission } from "@/lib/features/permissions/schema";
import { PRESET_SCOPES, PRESETS, type Preset, presetOf } from "@/lib/permissions/presets";
import { type Scope, withImplied } from "@/lib/permissions/scopes";

/** A place of a role's access: everywhere, a whole app, or an environment. */
export type AccessPlace = Pick<PlaceAccess, "appId" | "environmentId">;

export const EVERYWHERE: AccessPlace = { appId: null, environmentId: null };

/** The scopes that are given directly at places, by `keyOf` of the place. */
export type Access = ReadonlyMap<string, readonly Scope[]>;

export function keyOf({ appId, environmentId }: AccessPlace): string {
  return `${appId ?? ""}/${environmentId ?? ""}`;
}

export function placeOf(key: string): AccessPlace {
  const [appId, environmentId] = key.split("/");
  return { appId: appId || null, environmentId: environmentId || null };
}

/** What the permissions of a role give, and where. */
export function accessOf(permissions: readonly Pick<RolePermission, "scopes" | "apps">[]): Access {
  const access = new Map<string, Scope[]>();
  const add = (place: AccessPlace, scopes: readonly Scope[]) =>
    access.set(keyOf(place), [...new Set([...(access.get(keyOf(place)) ?? []), ...scopes])]);
  for (const { scopes, apps } of permissions) {
    if (apps === "all") add(EVERYWHERE, scopes);
    else {
      for (const { id: appId, environments } of apps) {
        if (environments === "all") add({ appId, environmentId: null }, scopes);
        else for (const { id: environmentId } of environments) add({ appId, environmentId }, scopes);
      }
    }
  }
  return access;
}

/** What holds at a place because of the larger places that include it. */
export function inheritedScopes(access: Access, { appId, environmentId }: AccessPlace): Scope[] {
  const larger: AccessPlace[] = [];
  if (appId !== null) larger.push(EVERYWHERE);
  if (environmentId !== null) larger.push({ appId, environmentId: null });
  return withImplied(larger.flatMap((place) => access.get(keyOf(place)) ?? []));
}

/** The level of some scopes: none, a preset, or scopes that no preset has. */
export type Level = "none" | Preset | "custom";

export function levelOf(scopes: readonly Scope[]): Level {
  return scopes.length === 0 ? "none" : (presetOf(scopes) ?? "custom");
}

/** Whether some scopes include everything that a preset has. */
export function includesPreset(scopes: readonly Scope[], preset: Preset): boolean {
  const held = withImplied(scopes);
  return withImplied(PRESET_SCOPES[preset]).every((scope) => held.includes(scope));
}

/**
 * The access at a place after the button of a preset was pressed. If the place has that preset already, it is taken back to
 * the one below, or to nothing.
 */
export function afterPress(scopes: readonly Scope[], preset: Preset): readonly Scope[] {
  if (presetOf(scopes) !== preset) return PRESET_SCOPES[preset];
  const below = PRESETS[PRESETS.indexOf(preset) - 1];
  return below ? PRESET_SCOPES[below] : [];
}

/** A change of a place, with the access that it had before. */
type PlaceChange = AccessPlace & { scopes: Scope[]; expected: Scope[] };

/** The places whose access differs, as update-role-access takes them. */
export function changesBetween(before: Access, after: Access): PlaceChange[] {
  const keys = new Set([...before.keys(), ...after.keys()]);
  return [...keys].flatMap((key) => {
    const [old = [], now = []] = [before.get(key), after.get(key)];
    const isSame = withImplied(old).join() === withImplied(now).join();
    return isSame ? [] : [{ ...placeOf(key), scopes: [...now], expected: [...old] }];
  });
}
