import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ApiError } from "@/lib/kernel/errors";
import type { Grant } from "@/lib/permissions/actor";
import { anActor, grantsArbitrary } from "@/lib/testing/grants";
import { authorizeTarget } from "./authorize";
import { SCOPES, type Scope } from "./scopes";

const APPS = ["a1", "a2", "a3"];
const ENVIRONMENTS = ["e1", "e2", "e3"];

/** The specification's words, written out: what comes with each scope beside itself. */
const COMES_WITH: Record<Scope, Scope[]> = {
  "release:read": [],
  "release:download": ["release:read"],
  "release:create": ["release:read"],
  "release:update": ["release:read"],
  "release:delete": ["release:read"],
  "environment:read": [],
  "environment:write": ["environment:read"],
  "dev-variable:read": [],
  "dev-variable:write": ["dev-variable:read"],
  "secure-variable:read": [],
  "secure-variable:write": ["secure-variable:read"],
  "secure-certificate:read": [],
  "secure-certificate:write": ["secure-certificate:read"],
};

/** A model without any cleverness: every single thing that the grants allow, as "scope app environment". */
function everythingAllowed(grants: readonly Grant[]): Set<string> {
  const allowed = new Set<string>();
  for (const { scopes, apps } of grants) {
    for (const app of APPS) {
      for (const environment of ENVIRONMENTS) {
        const here = apps === "all" ? "all" : apps.get(app);
        if (here === undefined || (here !== "all" && !here.has(environment))) continue;
        for (const scope of scopes) {
          for (const held of [scope, ...COMES_WITH[scope]]) allowed.add(`${held} ${app} ${environment}`);
        }
      }
    }
  }
  return allowed;
}

function answer(scope: Scope, grants: Grant[], appId: string, environmentId: string): string {
  try {
    authorizeTarget(scope, anActor(grants), { appId, environmentId, active: true });
    return "allowed";
  } catch (error) {
    if (error instanceof ApiError) return error.code;
    throw error;
  }
}

describe("the one check of rights", () => {
  it("allows, for any grants, exactly what a list of every single right allows", () => {
    fc.assert(
      fc.property(
        grantsArbitrary,
        fc.constantFrom(...APPS),
        fc.constantFrom(...ENVIRONMENTS),
        (grants, app, environment) => {
          const allowed = everythingAllowed(grants);
          const known = SCOPES.some((scope) => allowed.has(`${scope} ${app} ${environment}`));
          for (const scope of SCOPES) {
            const held = allowed.has(`${scope} ${app} ${environment}`);
            const expected = held ? "allowed" : known ? "forbidden" : "not_found";
            expect(answer(scope, grants, app, environment)).toBe(expected);
          }
        },
      ),
      { numRuns: 500 },
    );
  });
});
