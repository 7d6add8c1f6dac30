import fc from "fast-check";
import { describe, expect, expectTypeOf, it } from "vitest";
import { ApiError } from "@/lib/kernel/errors";
import { type Actor, type Grant, ownerOf, type TokenActor, type UserActor } from "@/lib/permissions/actor";
import { anActor, appIdArbitrary, environmentIdArbitrary, grantsArbitrary } from "@/lib/testing/grants";
import {
  type Access,
  type ActorOf,
  admitsUsers,
  authorizeCaller,
  authorizeTarget,
  authorizeUpload,
  effectiveActor,
  holdsSomewhere,
  isSecondFactorPending,
  type OwnedTarget,
  scopesFor,
  type Target,
} from "./authorize";
import { reachOf } from "./reach";
import { SCOPES, type Scope, withImplied } from "./scopes";
import { authorizeSecondFactor, type SecondFactorRule } from "./second-factor";

const ANONYMOUS: Actor = { kind: "anonymous", expired: false };
const EVERYTHING: Grant = { scopes: [...SCOPES], apps: "all" };

function user(grants: Grant[], facts: Partial<UserActor> = {}): UserActor {
  return { ...anActor(grants), ...facts };
}

const admin = user([EVERYTHING], { isAdmin: true });

const token: TokenActor = {
  kind: "token",
  identifier: "server",
  tokenId: "t",
  name: "CI",
  appId: "a1",
  environmentId: "e1",
  isEnvironmentActive: true,
  validUntil: new Date("2030-01-01"),
  grants: [{ scopes: ["release:create"], apps: new Map([["a1", new Set(["e1"])]]) }],
};

/** A permission for one environment of an app, or for all of it. */
function grant(scopes: Scope[], appId: string, environmentId?: string): Grant {
  return { scopes, apps: new Map([[appId, environmentId === undefined ? "all" : new Set([environmentId])]]) };
}

const inE1: Target = { appId: "a1", environmentId: "e1", active: true };
const inA1: Target = { appId: "a1", environmentId: null, active: true };
const allOfA1: Target = { ...inA1, wholeApp: true };

/** The code that a check refuses with; null if it lets the caller through. */
function refusal(check: () => void): string | null {
  try {
    check();
    return null;
  } catch (error) {
    if (error instanceof ApiError) return error.code;
    throw error;
  }
}

const caller = (access: Access, actor: Actor) => refusal(() => authorizeCaller(access, actor));
const target = (access: Access, actor: Actor, on: Target | OwnedTarget | null) =>
  refusal(() => authorizeTarget(access, actor, on));

describe("what belongs to one caller", () => {
  const own = { own: "upload", anyTarget: "release:create" } as const;

  it("is there for its owner, and for nobody else", () => {
    expect(target({ own: "passkey" }, admin, { owner: ownerOf(admin) })).toBeNull();
    expect(target(own, token, { owner: ownerOf(token) })).toBeNull();
    expect(target({ own: "passkey" }, user([EVERYTHING], { userId: "u9" }), { owner: ownerOf(admin) })).toBe(
      "not_found",
    );
    // A user and a token of the same ID are two owners.
    expect(target(own, token, { owner: `user:${token.tokenId}` })).toBe("not_found");
    expect(target(own, ANONYMOUS, { owner: ownerOf(admin) })).toBe("not_found");
    expect(target(own, admin, null)).toBe("not_found");
  });

  it("is not taken for a place, nor a place for it", () => {
    expect(target("release:read", admin, { owner: ownerOf(admin) })).toBe("not_found");
    expect(target("any-scope", admin, { owner: ownerOf(admin) })).toBe("not_found");
    expect(target(own, admin, inE1)).toBe("not_found");
  });

  it("is closed to owners without the scope, and to sessions without their second factor", () => {
    expect(caller(own, user([]))).toBe("forbidden");
    expect(caller({ own: "passkey" }, token)).toBe("forbidden");
    expect(caller({ own: "passkey" }, user([], { twoFactorEnabled: true }))).toBe("two_factor_required");
  });
});

describe("what groups give", () => {
  const group = { groupId: "g1", appId: "a1", environmentIds: new Set(["e1"]), scopes: ["release:download" as const] };
  const reader = user([], { groups: [group] });
  const release = (more: Partial<Target> = {}): Target => ({ ...inE1, groups: ["g0", "g1"], ...more });

  it("holds for releases of the group in its environments, and for reading and installing", () => {
    expect(target("release:read", reader, release())).toBeNull();
    expect(target("release:download", reader, release())).toBeNull();
    expect(target("release:update", reader, release())).toBe("forbidden");
    for (const other of [{ groups: ["g0"] }, { groups: [] }, { environmentId: "e2" }, { appId: "a2" }]) {
      expect(target("release:read", reader, release(other)), JSON.stringify(other)).toBe("not_found");
    }
    expect(target("release:read", reader, release({ active: false }))).toBe("not_found");
  });

  it("is nothing where the target does not ask for groups, and nowhere in a whole app", () => {
    for (const access of ["release:read", "any-scope"] as const) {
      for (const place of [inE1, inA1, allOfA1]) expect(target(access, reader, place)).toBe("not_found");
    }
    expect(target("release:read", reader, { ...allOfA1, groups: "any" })).toBe("forbidden");
    expect(reachOf(reader)).toEqual({ appIds: [], environmentIds: [] });
  });

  it("is taken from callers of operations that are not for groups", () => {
    expect(effectiveActor({ access: "release:read" }, reader)).toMatchObject({ groups: [] });
    expect(effectiveActor({ access: "release:read", forGroups: true }, reader)).toBe(reader);
  });
});

describe("what a link opens", () => {
  it("is open to anyone while it is there and switched on", () => {
    for (const actor of [ANONYMOUS, user([]), token]) {
      expect(target({ link: "manifest" }, actor, inE1)).toBeNull();
      expect(target({ link: "manifest" }, actor, { ...inE1, active: false })).toBe("link_expired");
      expect(target({ link: "manifest" }, actor, null)).toBe("link_expired");
    }
  });
});

describe("before the input is read", () => {
  it("lets anyone call what is public", () => {
    for (const actor of [ANONYMOUS, user([]), token]) expect(caller("public", actor)).toBeNull();
  });

  it("tells who has no session apart from whose session has ended", () => {
    const accesses: Access[] = [
      "partial-session",
      "user",
      "admin",
      "any-scope",
      "release:read",
      { anyTarget: "release:create" },
      { own: "passkey" },
      { own: "upload", anyTarget: "release:create" },
    ];
    for (const access of accesses) {
      expect(caller(access, ANONYMOUS)).toBe("not_authenticated");
      expect(caller(access, { kind: "anonymous", expired: true })).toBe("session_expired");
    }
  });

  it("admits the kinds of caller that a handler is typed for, and no other", () => {
    const passed = user([EVERYTHING], { isAdmin: true, twoFactorEnabled: true, secondFactor: true });
    const admitted = (access: Access) =>
      [ANONYMOUS, passed, token].filter((actor) => caller(access, actor) === null).map(({ kind }) => kind);
    expect(admitted("public")).toEqual(["anonymous", "user", "token"]);
    expect(admitted({ link: "manifest" })).toEqual(["anonymous", "user", "token"]);
    expectTypeOf<ActorOf<"public" | { link: "manifest" }>["kind"]>().toEqualTypeOf<"anonymous" | "user" | "token">();
    for (const access of ["partial-session", "user", "admin", { own: "passkey" }] as const) {
      expect(admitted(access)).toEqual(["user"]);
      expectTypeOf<ActorOf<typeof access>>().toEqualTypeOf<UserActor>();
    }
    const shared = [
      "any-scope",
      "release:create",
      { anyTarget: "release:create" },
      { own: "upload", anyTarget: "release:create" },
    ] as const;
    for (const access of shared) {
      expect(admitted(access)).toEqual(["user", "token"]);
      expectTypeOf<ActorOf<typeof access>>().toEqualTypeOf<UserActor | TokenActor>();
    }
  });

  it("takes no token for a person", () => {
    expect(caller("partial-session", token)).toBe("forbidden");
    expect(caller("user", token)).toBe("forbidden");
    expect(caller("admin", token)).toBe("forbidden");
    // Another token would not help.
    expect(() => authorizeCaller("admin", token)).toThrow(expect.objectContaining({ detailKey: "detailUser" }));
  });

  it("wants SUPER_ADMIN itself for what is the administrators', not every scope there is", () => {
    expect(caller("admin", user([EVERYTHING]))).toBe("forbidden");
    expect(caller("admin", admin)).toBeNull();
  });

  it("lets a scope held anywhere open what asks for it somewhere, an implied one too", () => {
    const access = { anyTarget: "release:read" } as const;
    expect(caller(access, user([grant(["release:create"], "a9", "e9")]))).toBeNull();
    expect(caller(access, token)).toBeNull();
    expect(caller(access, user([grant(["environment:write"], "a1")]))).toBe("forbidden");
    expect(caller(access, user([]))).toBe("forbidden");
  });

  it("leaves what depends on a target to the target", () => {
    expect(caller("release:read", user([]))).toBeNull();
    expect(caller("any-scope", user([]))).toBeNull();
  });
});

describe("before a file is taken", () => {
  const upload = (access: Access, actor: Actor) => refusal(() => authorizeUpload(access, actor));
  const accesses: Access[] = ["release:create"];

  it("wants the scope to be held somewhere, wherever the file is for", () => {
    for (const access of accesses) {
      for (const actor of [admin, token, user([grant(["release:create"], "a9", "e9")])]) {
        expect(upload(access, actor)).toBeNull();
      }
    }
    expect(upload("release:read", user([grant(["release:download"], "a1")]))).toBeNull();
  });

  it("tells who holds other scopes that this one is missing, and who holds none what every target would tell", () => {
    const tokenWithout: TokenActor = { ...token, grants: [grant(["environment:read"], "a1", "e1")] };
    for (const access of accesses) {
      for (const actor of [tokenWithout, user([grant(["release:update"], "a1")])]) {
        expect(upload(access, actor)).toBe("forbidden");
      }
      for (const actor of [
        ANONYMOUS,
        user([]),
        user([grant([], "a1")]),
        { ...token, grants: [grant([], "a1", "e1")] },
      ]) {
        expect(upload(access, actor)).toBe("not_found");
        expect(target(access, actor, inE1)).toBe("not_found");
      }
    }
  });

  it("leaves every other access to its own check", () => {
    for (const access of ["public", "user", "admin", "any-scope"] as const) expect(upload(access, user([]))).toBeNull();
  });
});

it("a token is told which scope it lacks, by each way of checking", () => {
  const told = (check: () => void) => {
    try {
      check();
    } catch (error) {
      return error instanceof ApiError ? [error.code, error.detailKey, error.params.scope] : error;
    }
  };
  const lacking = (scope: Scope) => ["forbidden", "detailTokenScope", scope];
  expect(told(() => authorizeTarget("release:update", token, inE1))).toEqual(lacking("release:update"));
  const requires = [{ access: "release:update" as const }];
  expect(told(() => authorizeTarget("release:create", token, { ...inE1, requires }))).toEqual(
    lacking("release:update"),
  );
  expect(told(() => authorizeCaller({ anyTarget: "release:delete" }, token))).toEqual(lacking("release:delete"));
  expect(told(() => authorizeCaller({ client: "dev-variable:read" }, token))).toEqual(lacking("dev-variable:read"));
  expect(told(() => authorizeUpload("environment:write", token))).toEqual(lacking("environment:write"));
  const reader = user([grant(["release:read"], "a1")]);
  expect(told(() => authorizeTarget("release:update", reader, inE1))).toEqual(["forbidden", "detail", undefined]);
});

describe("what is for apps and servers", () => {
  const access = { client: "release:read" } as const;
  const forServers = { ...access, server: true } as const;
  const ofAnApp: TokenActor = { ...token, identifier: "com.example.app" };

  it("is for API tokens with the scope, and for no person", () => {
    expect(caller(access, token)).toBeNull();
    expect(caller(access, ofAnApp)).toBeNull();
    expect(caller({ client: "release:delete" }, token)).toBe("forbidden");
    expect(caller({ client: "any-scope" }, token)).toBeNull();
    expect(caller({ client: "any-scope" }, admin)).toBe("forbidden");
    expect(caller(access, admin)).toBe("forbidden");
    expect(caller(access, ANONYMOUS)).toBe("not_authenticated");
    expect(admitsUsers(access)).toBe(false);
    for (const other of ["public", "admin", "release:read", { anyTarget: "release:read" }] as const) {
      expect(admitsUsers(other)).toBe(true);
    }
  });

  it("may be for servers alone", () => {
    expect(caller(forServers, token)).toBeNull();
    expect(caller(forServers, ofAnApp)).toBe("forbidden");
  });

  it("is closed in an environment that is switched off, whatever the token holds", () => {
    const writer = { ...token, grants: [grant(["release:read", "environment:write"], "a1", "e1")] };
    expect(target(access, writer, inE1)).toBeNull();
    expect(target(access, writer, { ...inE1, active: false })).toBe("not_found");
    expect(target("release:read", writer, { ...inE1, active: false })).toBeNull();
    expect(target(access, token, null)).toBe("not_found");
  });
});

describe("before the second factor is passed", () => {
  const pending = user([EVERYTHING], { isAdmin: true, twoFactorEnabled: true });

  it("opens what belongs to signing in and what is public, and nothing else, whatever the role holds", () => {
    expect(caller("partial-session", pending)).toBeNull();
    expect(caller("public", pending)).toBeNull();
    const closed: Access[] = ["user", "admin", "any-scope", "release:read", { anyTarget: "release:create" }];
    for (const access of closed) expect(caller(access, pending)).toBe("two_factor_required");
  });

  it("makes nobody of the person to what is public, and keeps everyone else as they are", () => {
    expect(effectiveActor({ access: "public" }, pending)).toEqual(ANONYMOUS);
    expect(effectiveActor({ access: "partial-session" }, pending)).toBe(pending);
    expect(effectiveActor({ access: "user" }, pending)).toBe(pending);
    for (const actor of [ANONYMOUS, admin, token]) expect(effectiveActor({ access: "public" }, actor)).toBe(actor);
  });

  it("ends once the factor is passed, and does not apply to users without one", () => {
    expect(isSecondFactorPending(pending)).toBe(true);
    expect(isSecondFactorPending({ ...pending, secondFactor: true })).toBe(false);
    for (const actor of [ANONYMOUS, admin, token]) expect(isSecondFactorPending(actor)).toBe(false);
    expect(caller("admin", { ...pending, secondFactor: true })).toBeNull();
    expect(caller("partial-session", user([]))).toBeNull();
  });
});

describe("with the target loaded", () => {
  it("answers what does not exist as what is out of reach", () => {
    const someone = user([grant(["release:read"], "a2")]);
    expect(target("release:read", admin, null)).toBe("not_found");
    expect(target("release:read", someone, inE1)).toBe("not_found");
    expect(target("any-scope", someone, inA1)).toBe("not_found");
    expect(target("release:read", ANONYMOUS, inE1)).toBe("not_found");
  });

  it("answers another environment of a reached app as one that does not exist", () => {
    const someone = user([grant(["release:read"], "a1", "e2")]);
    expect(target("release:read", someone, inE1)).toBe("not_found");
    expect(target("any-scope", someone, inE1)).toBe("not_found");
    expect(target("any-scope", someone, inA1)).toBeNull();
  });

  it("tells who reaches the place that a scope is missing", () => {
    const reader = user([grant(["release:read"], "a1", "e1")]);
    expect(target("release:read", reader, inE1)).toBeNull();
    expect(target("release:delete", reader, inE1)).toBe("forbidden");
  });

  it("lets writing imply reading, and not the other way round", () => {
    const uploader = user([grant(["release:create"], "a1", "e1")]);
    expect(target("release:read", uploader, inE1)).toBeNull();
    expect(target("release:update", uploader, inE1)).toBe("forbidden");
    expect(target("release:download", uploader, inE1)).toBe("forbidden");
  });

  it("shows inactive rows to callers who may reactivate them, and to nobody else", () => {
    const off = { ...inE1, active: false };
    expect(target("release:read", admin, off)).toBeNull();
    expect(target("release:read", user([grant(["release:read", "environment:write"], "a1", "e1")]), off)).toBeNull();
    expect(target("release:read", user([grant(["release:read", "environment:read"], "a1", "e1")]), off)).toBe(
      "not_found",
    );
    expect(target("release:read", user([grant(["release:read"], "a1"), grant(["environment:write"], "a2")]), off)).toBe(
      "not_found",
    );
    expect(target("release:create", token, off)).toBe("not_found");
  });

  it("asks users, and no tokens, for the second factor that the operation requires", () => {
    const now = new Date();
    const ago = (minutes: number) => new Date(now.getTime() - minutes * 60_000);
    const factor = (rule: SecondFactorRule, actor: Actor) => refusal(() => authorizeSecondFactor(rule, actor, now));
    const passed = (facts: Partial<UserActor>) => user([], { twoFactorEnabled: true, secondFactor: true, ...facts });
    for (const rule of ["enrolled", "recent"] as const) {
      expect(factor(rule, admin)).toBe("two_factor_enrollment_required");
      expect(factor(rule, user([], { twoFactorEnabled: true }))).toBe("two_factor_required");
      expect(factor(rule, passed({ secondFactorConfirmedAt: ago(15) }))).toBeNull();
      expect(factor(rule, token)).toBeNull();
    }
    expect(factor("recent", passed({ secondFactorConfirmedAt: ago(-1) }))).toBeNull();
    // The last one is of a clock that was ahead.
    for (const secondFactorConfirmedAt of [null, new Date(ago(15).getTime() - 1), new Date(ago(-1).getTime() + 1)]) {
      expect(factor("enrolled", passed({ secondFactorConfirmedAt }))).toBeNull();
      expect(factor("recent", passed({ secondFactorConfirmedAt }))).toBe("two_factor_required");
    }
  });

  it("asks users who have a factor for a recent proof where an operation changes factors, and others for none", () => {
    const now = new Date();
    const ago = (minutes: number) => new Date(now.getTime() - minutes * 60_000);
    const factor = (facts: Partial<UserActor>) =>
      refusal(() => authorizeSecondFactor("recentIfEnrolled", user([], facts), now));
    expect(factor({})).toBeNull();
    for (const enrolled of [{ twoFactorEnabled: true }, { hasPasskey: true }]) {
      expect(factor(enrolled)).toBe("two_factor_required");
      expect(factor({ ...enrolled, secondFactor: true })).toBe("two_factor_required");
      expect(factor({ ...enrolled, secondFactor: true, secondFactorConfirmedAt: ago(16) })).toBe("two_factor_required");
      expect(factor({ ...enrolled, secondFactor: true, secondFactorConfirmedAt: ago(15) })).toBeNull();
    }
    expect(refusal(() => authorizeSecondFactor("recentIfEnrolled", token, now))).toBeNull();
  });

  it("asks for each access that the call's input adds, and then for the second factor", () => {
    const on: Target = {
      ...inE1,
      requires: [{ access: "dev-variable:write" }, { access: "secure-variable:write", secondFactor: "recent" }],
    };
    const scopes = (...held: Scope[]) => user([grant(held, "a1", "e1")]);
    expect(target("any-scope", scopes("dev-variable:write"), on)).toBe("forbidden");
    expect(target("any-scope", scopes("secure-variable:write"), on)).toBe("forbidden");
    const both = scopes("dev-variable:write", "secure-variable:write");
    expect(target("any-scope", both, on)).toBeNull();
    expect(target("release:read", both, on)).toBe("forbidden");
    expect(target("any-scope", user([]), on)).toBe("not_found");
    const now = new Date();
    const factor = (facts: Partial<UserActor>) =>
      refusal(() => authorizeSecondFactor(undefined, { ...both, ...facts }, now, on));
    expect(factor({})).toBe("two_factor_enrollment_required");
    expect(factor({ secondFactor: true })).toBe("two_factor_required");
    expect(factor({ secondFactor: true, secondFactorConfirmedAt: now })).toBeNull();
  });

  it("checks no place where the access asks for none", () => {
    for (const access of ["public", "user", "admin", { anyTarget: "release:create" }] as const) {
      expect(target(access, user([]), inE1)).toBeNull();
      expect(target(access, user([]), null)).toBe("not_found");
    }
  });
});

describe("where the app as a whole is changed", () => {
  it("takes a grant for all apps or for all of the app", () => {
    expect(target("environment:write", admin, allOfA1)).toBeNull();
    expect(target("environment:write", user([{ scopes: ["environment:write"], apps: "all" }]), allOfA1)).toBeNull();
    expect(target("environment:write", user([grant(["environment:write"], "a1")]), allOfA1)).toBeNull();
  });

  it("refuses a grant for single environments of the app, without denying that the app exists", () => {
    const single = user([grant(["environment:write"], "a1", "e1")]);
    expect(target("environment:write", single, inA1)).toBeNull();
    expect(target("environment:write", single, allOfA1)).toBe("forbidden");
    expect(target("environment:write", user([grant(["environment:write"], "a2")]), allOfA1)).toBe("not_found");
  });

  it("does not add the scope of one grant to the reach of another", () => {
    const mixed = user([grant(["environment:write"], "a1", "e1"), grant(["release:read"], "a1")]);
    expect(target("environment:write", mixed, allOfA1)).toBe("forbidden");
    expect(scopesFor(mixed, allOfA1)).toEqual(["release:read"]);
  });

  it("shows an inactive app to callers who may write in one of its environments", () => {
    const off = { ...allOfA1, active: false };
    expect(target("environment:write", user([grant(["environment:write"], "a1", "e1")]), off)).toBe("forbidden");
    expect(target("environment:write", user([grant(["environment:write"], "a1")]), off)).toBeNull();
    expect(target("environment:write", user([grant(["release:read"], "a1")]), off)).toBe("not_found");
  });
});

describe("for any grants", () => {
  it("holds in all of an app at most what it holds in each environment, and there at most what it holds in the app", () => {
    fc.assert(
      fc.property(grantsArbitrary, appIdArbitrary, environmentIdArbitrary, (grants, appId, environmentId) => {
        const actor = user(grants);
        const everywhere = scopesFor(actor, { appId, environmentId: null, wholeApp: true });
        const here = scopesFor(actor, { appId, environmentId });
        const somewhere = scopesFor(actor, { appId, environmentId: null });
        expect(here).toEqual(expect.arrayContaining(everywhere));
        expect(somewhere).toEqual(expect.arrayContaining(here));
      }),
    );
  });

  it("never takes a right away by one more grant", () => {
    fc.assert(
      fc.property(grantsArbitrary, grantsArbitrary, appIdArbitrary, environmentIdArbitrary, (some, more, appId, id) => {
        const place = { appId, environmentId: id };
        const before = scopesFor(user(some), place);
        expect(scopesFor(user([...some, ...more]), place)).toEqual(expect.arrayContaining(before));
      }),
    );
  });

  it("gives the scopes in the table's order, each once, with all that they imply", () => {
    fc.assert(
      fc.property(grantsArbitrary, appIdArbitrary, environmentIdArbitrary, (grants, appId, environmentId) => {
        const held = scopesFor(user(grants), { appId, environmentId });
        expect(held).toEqual(withImplied(held));
      }),
    );
  });

  it("opens a scope exactly where it is held", () => {
    fc.assert(
      fc.property(
        grantsArbitrary,
        appIdArbitrary,
        environmentIdArbitrary,
        fc.constantFrom(...SCOPES),
        (grants, appId, environmentId, scope) => {
          const actor = user(grants);
          const on = { appId, environmentId, active: true };
          const held = scopesFor(actor, on);
          const expected = held.includes(scope) ? null : held.length > 0 ? "forbidden" : "not_found";
          expect(target(scope, actor, on)).toBe(expected);
        },
      ),
    );
  });

  it("holds a scope somewhere wherever it holds it in a place", () => {
    fc.assert(
      fc.property(grantsArbitrary, appIdArbitrary, environmentIdArbitrary, (grants, appId, environmentId) => {
        const actor = user(grants);
        for (const scope of scopesFor(actor, { appId, environmentId })) {
          expect(holdsSomewhere(actor, scope)).toBe(true);
        }
      }),
    );
  });

  it("gives the anonymous nothing", () => {
    expect(scopesFor(ANONYMOUS, inE1)).toEqual([]);
    expect(SCOPES.some((scope) => holdsSomewhere(ANONYMOUS, scope))).toBe(false);
  });
});
