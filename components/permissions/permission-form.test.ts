import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isGroupScope, SCOPES } from "@/lib/permissions/scopes";
import { type PermissionForm, permissionFormSchema } from "./permission-form";
import { grantedBy, reachInForm, toPermissionForm, toPermissionInput } from "./permission-values";

const appArbitrary = fc.record({
  id: fc.uuid(),
  name: fc.constantFrom("Harbour", "Orbit"),
  reach: fc.constantFrom("all" as const, "some" as const),
  environments: fc.array(fc.record({ id: fc.uuid(), name: fc.constant("QA") }), { maxLength: 2 }),
});
const formArbitrary: fc.Arbitrary<PermissionForm> = fc.record({
  roleId: fc.constantFrom("", "019a0000-0000-7000-8000-000000000001"),
  scopes: fc.subarray([...SCOPES]),
  reach: fc.constantFrom("all" as const, "some" as const, "groups" as const),
  apps: fc.array(appArbitrary, { maxLength: 3 }),
  groups: fc.array(
    fc.record({ id: fc.uuid(), name: fc.constant("Beta"), app: fc.constant({ id: "a", name: "Orbit" }) }),
    {
      maxLength: 2,
    },
  ),
});

const wrongPaths = (form: PermissionForm) =>
  (permissionFormSchema.safeParse(form).error?.issues ?? []).map(({ path }) => path.join("."));

describe("the permission form", () => {
  it('never sends an empty selection as "all"', () => {
    fc.assert(
      fc.property(formArbitrary, (form) => {
        if (!permissionFormSchema.safeParse(form).success) return;
        const input = toPermissionInput(form);
        if (input.groupIds) {
          expect([form.reach, input.groupIds.length > 0, input.scopes.length > 0]).toEqual(["groups", true, true]);
          expect(input.scopes.every(isGroupScope)).toBe(true);
          return;
        }
        const { apps = [] } = input;
        expect(apps.length === 0).toBe(form.reach === "all");
        for (const { appId, environmentIds } of apps) {
          expect(environmentIds.length === 0).toBe(form.apps.find(({ id }) => id === appId)?.reach === "all");
        }
      }),
    );
  });

  it("describes the places exactly when they can be sent", () => {
    fc.assert(
      fc.property(formArbitrary, (form) => {
        const wrong = wrongPaths(form).some((path) => path.startsWith("apps") || path === "groups");
        expect(reachInForm(form) === null).toBe(wrong);
      }),
    );
  });

  it("reports each missing value at its field", () => {
    expect(wrongPaths(toPermissionForm())).toEqual(["roleId", "scopes", "apps"]);
    const app = { id: "a", name: "Harbour", reach: "some" as const, environments: [] };
    expect(wrongPaths({ roleId: "r", scopes: ["release:read"], reach: "some", apps: [app], groups: [] })).toEqual([
      "apps.0.environments",
    ]);
  });

  it("misses only the groups if it adds a permission for the releases of groups to a role", () => {
    const form = toPermissionForm(undefined, "r");
    expect(wrongPaths(form)).toEqual(["groups"]);
    const groups = [{ id: "g", name: "Beta", app: { id: "b", name: "Orbit" } }];
    expect(toPermissionInput({ ...form, groups })).toEqual({
      roleId: "r",
      scopes: ["release:download"],
      groupIds: ["g"],
    });
  });

  it("starts with the permission and sends it back unchanged", () => {
    const role = { id: "r", name: "Testers" };
    const dates = { createdAt: "2026-01-01T00:00:00Z", updatedAt: "2026-01-01T00:00:00Z" };
    const apps = [
      { id: "a", name: "Harbour", environments: "all" as const },
      { id: "b", name: "Orbit", environments: [{ id: "e", name: "QA" }] },
    ];
    const permission = { id: "p", role, scopes: ["release:read" as const], apps, groups: [], ...dates };
    expect(toPermissionInput(toPermissionForm(permission))).toEqual({
      roleId: "r",
      scopes: ["release:read"],
      apps: [
        { appId: "a", environmentIds: [] },
        { appId: "b", environmentIds: ["e"] },
      ],
    });
    expect(toPermissionInput(toPermissionForm({ ...permission, apps: "all" }))).toMatchObject({ apps: [] });
    const groups = [{ id: "g", name: "Beta", app: { id: "b", name: "Orbit" } }];
    expect(toPermissionInput(toPermissionForm({ ...permission, apps: [], groups }))).toEqual({
      roleId: "r",
      scopes: ["release:read"],
      groupIds: ["g"],
    });
  });

  it("restores a permission as it was, but none whose apps are gone, which would then hold everywhere", () => {
    const role = { id: "r", name: "Testers" };
    const permission = {
      id: "p",
      role,
      scopes: ["release:read" as const],
      groups: [],
      createdAt: "2026-01-01T00:00:00Z",
      updatedAt: "2026-01-01T00:00:00Z",
    };
    const orbit = { id: "b", name: "Orbit" };
    expect(grantedBy({ ...permission, apps: "all" })).toEqual({ roleId: "r", scopes: ["release:read"], apps: [] });
    expect(grantedBy({ ...permission, apps: [{ ...orbit, environments: "all" }] })).toMatchObject({
      apps: [{ appId: "b", environmentIds: [] }],
    });
    expect(grantedBy({ ...permission, apps: [] })).toBeNull();
    expect(grantedBy({ ...permission, apps: [{ ...orbit, environments: [] }] })).toBeNull();
  });
});
