import fc from "fast-check";
import type { Grant, UserActor } from "@/lib/permissions/actor";
import { SCOPES } from "@/lib/permissions/scopes";

/** Few apps with few environments, so that grants and places meet often. */
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

/** Grants as roles have them: of everything, of whole apps, of single environments, of nothing. */
export const grantsArbitrary: fc.Arbitrary<Grant[]> = fc.array(
  fc.record({ scopes: scopesArbitrary, apps: appsArbitrary }),
  { maxLength: 4 },
);

/** A signed-in person who is no administrator and has passed no second factor. */
export function anActor(grants: Grant[]): UserActor {
  return {
    kind: "user",
    userId: "u",
    sessionId: "s",
    exp: 0,
    isAdmin: false,
    secondFactor: false,
    twoFactorEnabled: false,
    grants,
  };
}
