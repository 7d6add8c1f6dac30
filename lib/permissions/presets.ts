import { SCOPES, type Scope, withImplied } from "./scopes";

/** The usual sets of scopes, from the smallest to the largest. Each includes the one before it. */
export const PRESETS = ["viewer", "tester", "publisher", "maintainer"] as const;
export type Preset = (typeof PRESETS)[number];

/** The scopes of each preset. */
export const PRESET_SCOPES: Readonly<Record<Preset, readonly Scope[]>> = {
  viewer: ["release:read"],
  tester: ["release:download"],
  publisher: ["release:download", "release:create", "release:update", "environment:read"],
  maintainer: SCOPES,
};

/** The preset that has the same effect as some scopes; null if none has. */
export function presetOf(scopes: readonly Scope[]): Preset | null {
  const held = withImplied(scopes).join();
  return PRESETS.find((preset) => withImplied(PRESET_SCOPES[preset]).join() === held) ?? null;
}
