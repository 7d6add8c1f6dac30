import type { EntitlementValue, IpaInstaller } from "../types";

type Entitlements = IpaInstaller["entitlements"];

/**
 * The entitlements that a device checks against the profile. Others may be missing in it ("TN3125: Inside Code Signing:
 * Provisioning Profiles").
 */
const CHECKED =
  /^(?:application-identifier|aps-environment|get-task-allow|keychain-access-groups|com\.apple\.security\.application-groups|com\.apple\.developer\..+)$/;

/** A profile grants all values that begin with the text before the asterisk. */
function covers(granted: EntitlementValue, claimed: EntitlementValue): boolean {
  if (typeof granted === "string" && granted.endsWith("*")) {
    return typeof claimed === "string" && claimed.startsWith(granted.slice(0, -1));
  }
  return granted === claimed;
}

const valuesOf = (value: EntitlementValue): EntitlementValue[] => (Array.isArray(value) ? value : [value]);
/** Dictionaries have rules of their own. */
const isPlain = (value: EntitlementValue) => typeof value !== "object";

function isGranted(claimed: EntitlementValue, granted: EntitlementValue | undefined): boolean {
  // An entitlement that is turned off or has no values claims nothing.
  const claims = valuesOf(claimed).filter((value) => value !== false);
  if (claims.length === 0) return true;
  if (granted === undefined) return false;
  const grants = valuesOf(granted);
  if (![...claims, ...grants].every(isPlain)) return true;
  return claims.every((claim) => grants.some((grant) => covers(grant, claim)));
}

/** The names of the entitlements that an app claims and its profile does not grant, as the device checks them. */
export function ungrantedEntitlements(claimed: Entitlements, granted: Entitlements): string[] {
  return Object.entries(claimed)
    .filter(([name, value]) => {
      const grant = Object.hasOwn(granted, name) ? granted[name] : undefined;
      return CHECKED.test(name) && !isGranted(value, grant);
    })
    .map(([name]) => name)
    .toSorted();
}
