import fc from "fast-check";
import type { Grant, UserActor } from "@/lib/permissions/actor";
import { SCOPES } from "@/lib/permissions/scopes";

/** A small number of IDs, so that grants often match targets. */
export const appIdArbitrary = fc.constantFrom("a1", "a2", "a3");
export const environmentIdArbitrary = fc.constantFrom("e1", "e2", "e3");

const scopesArbitrary = fc.uniqueArray(fc.constantFrom(...SCOPES), { minLength: 1, maxLength: 4 });

const environmentsArbitrary = fc.oneof(
  fc.constant("all" as const),
  fc.uniqueArray(environmentIdArbitrary).map((ids): ReadonlySet<string> => new Set(ids)),
);

const appsArbitrary = fc.oneof(
  { weight: 1, arbitrary: fc.constant("all" as const) },
  {
    weight: 5,
    arbitrary: fc
      .uniqueArray(fc.tuple(appIdArbitrary, environmentsArbitrary), { selector: ([appId]) => appId, maxLength: 3 })
      .map((entries) => new Map(entries)),
  },
);

/** Grants of roles: for everything, whole apps, single environments or nothing. */
export const grantsArbitrary: fc.Arbitrary<Grant[]> = fc.array(
  fc.record({ scopes: scopesArbitrary, apps: appsArbitrary }),
  { maxLength: 4 },
);

/** Returns a signed-in user who is not an administrator and has not passed a second factor. */
export function anActor(grants: Grant[]): UserActor {
  return {
    kind: "user",
    userId: "u",
    sessionId: "s",
    exp: 0,
    isAdmin: false,
    secondFactor: false,
    secondFactorConfirmedAt: null,
    twoFactorEnabled: false,
    hasPasskey: false,
    grants,
    groups: [],
  };
}
