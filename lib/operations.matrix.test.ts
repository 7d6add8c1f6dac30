import { randomBytes } from "node:crypto";
import { beforeAll, describe, expect, it, vi } from "vitest";
import type { Operation } from "@/lib/api/operation";
import { issueToken } from "@/lib/auth/one-time-tokens";
import { db } from "@/lib/db/client";
import { queryRows, sql } from "@/lib/db/query";
import { newId } from "@/lib/kernel/ids";
import type { Target } from "@/lib/permissions/authorize";
import { isScope, SCOPES, type Scope } from "@/lib/permissions/scopes";
import type { SecondFactorRule } from "@/lib/permissions/second-factor";
import {
  ANONYMOUS,
  type Answer,
  anApp,
  aToken,
  aUser,
  type Caller,
  cookieHeaders,
  send,
  type TestUser,
} from "@/lib/testing/console";
import { databaseFingerprint } from "@/lib/testing/fingerprint";
import { aGroupReader } from "@/lib/testing/tester-groups";
import { makeWorld, type World } from "@/lib/testing/world";
import { IS_WHOLE, someOf } from "@/scripts/test-amount";
import { setUpTestDatabase } from "@/scripts/test-database";
import { operations } from "./operations";
import type { Sample } from "./testing/sample";
import { sampleOf } from "./testing/samples";

// Every operation × every kind of caller. What is expected is worked out here from the operation's declared access, by
// rules written down a second time on purpose: the table would prove nothing if it asked lib/permissions.
// `npm test` has each operation refuse every kind whose answer depends on the operation, and takes the others in turns: a dead session
// is dead for all. Of the kinds that it serves, one calls it. In `operations.matrix.slow.test.ts`, all call it.

/** Where a caller holds scopes, seen from what the operation acts on. */
type Place = "target" | "wholeApp" | "everywhere" | "otherEnvironment" | "otherApp";

/**
 * `pending`: switched on, and this session has not passed it. `earlier`: passed, more than 15 minutes ago. `passkey`: not
 * switched on and not passed, and the user has a passkey. `proved`: the same, proved by the passkey just now.
 */
type SecondFactor = "off" | "pending" | "earlier" | "passed" | "passkey" | "proved";

interface Kind {
  title: string;
  /** One of several that are alike for all operations: in `npm test`, an operation has some of them. */
  alike?: "caller" | "scope" | "token";
  make(): Promise<Caller>;
  /** The code of a caller who is nobody. */
  nobody?: "not_authenticated" | "session_expired" | "invalid_token";
  token?: true;
  /** A token that an app has, and no server. */
  inApp?: true;
  admin?: true;
  secondFactor?: SecondFactor;
  /** Whose only permission is for the releases of a group, to which nothing was distributed. */
  ofGroup?: true;
  holds?: { scopes: readonly Scope[]; place: Place };
}

function hasWord(access: Operation["access"], word: string): boolean {
  return typeof access === "object" && word in access;
}

const entries = Object.entries(operations) as [keyof typeof operations, Operation][];
const guarded = entries.filter(([, { access }]) => access !== "public" && !hasWord(access, "link"));
const linked = entries.filter(([, { access }]) => hasWord(access, "link"));

// One test calls an operation as up to fifty callers, and some calls hash passwords. A test that is ended goes on beside the next one.
vi.setConfig({ testTimeout: 300_000 });

setUpTestDatabase();

let world: World;
let elsewhere: { appId: string; environmentId: string; siblingId: string };

/** Makes a world for one sample, so that a wrong one fails the tests of its operation alone. */
async function makePlaces(): Promise<void> {
  world = await makeWorld();
  const other = await anApp();
  const sibling = await db.environment.create({ data: { id: newId(), appId: world.app.appId, name: "Sibling" } });
  elsewhere = { appId: other.appId, environmentId: other.environmentIds[0] as string, siblingId: sibling.id };
}

/** The scope that a call needs by its operation's access or by its input; no sample needs two. */
function neededScope({ access }: Operation, target: Target): Scope | null {
  for (const one of [access, ...(target.requires ?? []).map((requirement) => requirement.access)]) {
    if (typeof one === "object") return one.anyTarget ?? one.client ?? null;
    if (isScope(one)) return one;
  }
  return null;
}

/** For signed-in users alone. */
function isForUsers({ access }: Operation): boolean {
  if (typeof access === "object") return "own" in access && !("anyTarget" in access);
  return access === "user" || access === "partial-session";
}

/** What the second factor of a caller has to prove by the operation or by its input. */
function secondFactorRule({ secondFactor }: Operation, target: Target): SecondFactorRule | undefined {
  return secondFactor ?? target.requires?.find((requirement) => requirement.secondFactor)?.secondFactor;
}

function needsSecondFactor(operation: Operation, target: Target): boolean {
  return ![undefined, "inInput"].includes(secondFactorRule(operation, target));
}

/** What people are refused with whose session has not proved the second factor that an operation requires. */
function factorRefusal(operation: Operation, kind: Kind, target: Target): string | null {
  const rule = secondFactorRule(operation, target);
  const { secondFactor } = kind;
  if (rule === "recentIfEnrolled") {
    const isEnrolled = secondFactor !== "off" || JSON.stringify(operation.access) === '{"own":"passkey"}';
    const hasProved = secondFactor === "passed" || secondFactor === "proved";
    return isEnrolled && !hasProved ? "two_factor_required" : null;
  }
  if (secondFactor === "off" || secondFactor === "passkey") return "two_factor_enrollment_required";
  return secondFactor === "earlier" && rule === "recent" ? "two_factor_required" : null;
}

/** Holding `scope` means holding `needed`: writing anything of a kind means reading it. */
function leadsTo(scope: Scope, needed: Scope): boolean {
  const kind = (text: Scope) => text.split(":")[0];
  return scope === needed || (needed.endsWith(":read") && kind(scope) === kind(needed));
}

/** Whether what is held at a place counts for a target: to know of it, and to act on it. */
function counts(place: Place, target: Target): { known: boolean; acts: boolean } {
  if (place === "everywhere" || place === "wholeApp") return { known: true, acts: true };
  if (place === "otherApp") return { known: false, acts: false };
  const known = place === "target" || target.environmentId === null;
  return { known, acts: known && !target.wholeApp };
}

/** The refusal of a caller who lacks a right at another place that a call needs. No kind holds scopes for that environment alone. */
function refusalElsewhere({ holds }: Kind, target: Target): string | null {
  for (const { access, target: other } of target.requires ?? []) {
    if (!other) continue;
    const inApp = holds?.place === "wholeApp" && other.appId === target.appId;
    if (!inApp && holds?.place !== "everywhere") return "not_found";
    if (typeof access === "string" && isScope(access) && !holds.scopes.some((held) => leadsTo(held, access))) {
      return "forbidden";
    }
  }
  return null;
}

/** What a kind of caller who owns what they name must be answered: a refusal's code, or "served". */
function expected(operation: Operation, kind: Kind, target: Target): string {
  const { access } = operation;
  if (kind.nobody) return kind.nobody;
  // Elsewhere, and for a release that was not distributed to the group, they are as those whose role reaches nothing.
  if (kind.ofGroup && operation.forGroups && target.groups === "any") return "served";
  if (kind.secondFactor === "pending" && access !== "partial-session") return "two_factor_required";
  if (typeof access === "object" && "client" in access) {
    // A token acts on its own environment, wherever that is.
    const { client } = access;
    const holds = kind.holds?.scopes.some((held) => client === "any-scope" || leadsTo(held, client));
    return kind.token && holds && !(access.server && kind.inApp) ? "served" : "forbidden";
  }
  if (isForUsers(operation)) {
    if (kind.token) return "forbidden";
  } else if (access === "admin") {
    if (!kind.admin) return "forbidden";
  } else if (!kind.admin) {
    const scope = neededScope(operation, target);
    const scopes = kind.holds?.scopes ?? [];
    const holds = scope === null ? scopes.length > 0 : scopes.some((held) => leadsTo(held, scope));
    if (hasWord(access, "anyTarget") && !holds) return "forbidden";
    // What belongs to its owner can be at a place where they must hold the scope still.
    if (!hasWord(access, "anyTarget") || "place" in target) {
      const at = kind.holds ? counts(kind.holds.place, target) : { known: false, acts: false };
      if (!at.known || scopes.length === 0) return "not_found";
      if (scope !== null && !(at.acts && holds)) return "forbidden";
      const refusal = refusalElsewhere(kind, target);
      if (refusal) return refusal;
    }
  }
  if (needsSecondFactor(operation, target) && !kind.token) {
    return factorRefusal(operation, kind, target) ?? "served";
  }
  return "served";
}

/** As `expected`, for a caller who names what belongs to somebody else, where it belongs to anybody. */
function expectedOfStranger(operation: Operation, kind: Kind, target: Target): string {
  const outcome = expected(operation, kind, target);
  const isFactorRefusal = kind.secondFactor !== "pending" && outcome.startsWith("two_factor");
  return (outcome === "served" || isFactorRefusal) && hasWord(operation.access, "own") ? "not_found" : outcome;
}

async function withSecondFactor(user: { userId: string; sessionId: string }, state: SecondFactor): Promise<void> {
  if (state === "off") return;
  if (state === "passkey" || state === "proved") {
    const credential = {
      credentialId: randomBytes(16),
      registrant: "MacBook",
      publicKey: randomBytes(77),
      counter: 0n,
    };
    await db.passkey.create({ data: { id: newId(), userId: user.userId, ...credential, backedUp: false } });
    const now = new Date();
    const proof = { secondFactorAt: now, secondFactorConfirmedAt: now };
    if (state === "proved") await db.session.update({ where: { id: user.sessionId }, data: proof });
    return;
  }
  await db.twoFactor.create({ data: { userId: user.userId, secret: randomBytes(40), enabledAt: new Date() } });
  const passedAt = { pending: null, earlier: new Date(Date.now() - 16 * 60_000), passed: new Date() }[state];
  const data = { secondFactorAt: passedAt, secondFactorConfirmedAt: passedAt };
  await db.session.update({ where: { id: user.sessionId }, data });
}

async function someone(options: Parameters<typeof aUser>[0], state: SecondFactor = "off") {
  const user = await aUser(options);
  await withSecondFactor(user, state);
  return user;
}

function appsAt(place: Place, target: Target): [{ appId: string; environmentIds?: string[] }] | undefined {
  const appId = target.appId || world.app.appId;
  const environmentId = target.environmentId ?? world.environmentId;
  if (place === "everywhere") return undefined;
  if (place === "wholeApp") return [{ appId }];
  if (place === "target") return [{ appId, environmentIds: [environmentId] }];
  if (place === "otherEnvironment") return [{ appId, environmentIds: [elsewhere.siblingId] }];
  return [{ appId: elsewhere.appId }];
}

const othersThan = (needed: Scope) => SCOPES.filter((scope) => !leadsTo(scope, needed));

/** Every kind of caller of an operation. */
function kindsFor(operation: Operation, target: Target): Kind[] {
  const scope = neededScope(operation, target);
  const isIfEnrolled = secondFactorRule(operation, target) === "recentIfEnrolled";
  const factor: SecondFactor = needsSecondFactor(operation, target) ? (isIfEnrolled ? "proved" : "passed") : "off";
  const environmentId = target.environmentId ?? world.environmentId;
  const place = { appId: target.appId || world.app.appId, environmentId };
  const token = { ...place, scopes: [...SCOPES] };

  const holder = (title: string, holds: NonNullable<Kind["holds"]>, secondFactor = factor): Kind => ({
    title,
    holds,
    secondFactor,
    make: () => someone({ grants: [{ scopes: [...holds.scopes], apps: appsAt(holds.place, target) }] }, secondFactor),
  });
  const deadSession = (title: string, data: Parameters<typeof db.session.update>[0]["data"]): Kind => ({
    title,
    alike: "caller",
    nobody: "session_expired",
    make: async () => {
      const user = await aUser({ admin: true });
      await db.session.update({ where: { id: user.sessionId }, data });
      return user;
    },
  });
  // The others do not ask when it was passed.
  const earlier: Kind[] = needsSecondFactor(operation, target)
    ? [
        {
          title: "an administrator who has passed the second factor earlier",
          admin: true,
          secondFactor: "earlier",
          make: () => someone({ admin: true }, "earlier"),
        },
        {
          title: "an administrator with a passkey who has signed in without it",
          admin: true,
          secondFactor: "passkey",
          make: () => someone({ admin: true }, "passkey"),
        },
      ]
    : [];
  const past = new Date(Date.now() - 1_000);

  return [
    { title: "nobody", nobody: "not_authenticated", make: async () => ANONYMOUS },
    deadSession("an administrator whose session has idled out", { expiresAt: past }),
    deadSession("an administrator whose session is at its absolute end", { absoluteExpiresAt: past }),
    {
      title: "an administrator who has signed out",
      alike: "caller",
      nobody: "session_expired",
      make: async () => {
        const user = await aUser({ admin: true });
        await db.session.delete({ where: { id: user.sessionId } });
        return user;
      },
    },
    {
      title: "an administrator who is switched off",
      alike: "caller",
      nobody: "session_expired",
      make: () => aUser({ admin: true, status: "inactive" }),
    },
    {
      title: "a made-up session",
      alike: "caller",
      nobody: "session_expired",
      make: async () => ({ headers: cookieHeaders(randomBytes(32).toString("base64url")) }),
    },
    {
      title: "a made-up token",
      alike: "caller",
      nobody: "invalid_token",
      make: async () => ({ headers: { authorization: `Bearer slw_${randomBytes(32).toString("base64url")}0000000` } }),
    },
    {
      title: "a token past its day",
      alike: "caller",
      nobody: "invalid_token",
      make: () => aToken({ ...token, validUntil: past }),
    },
    {
      title: "a revoked token",
      alike: "caller",
      nobody: "invalid_token",
      make: async () => {
        const revoked = await aToken(token);
        await db.apiToken.update({ where: { id: revoked.tokenId }, data: { revokedAt: new Date() } });
        return revoked;
      },
    },
    {
      title: "a token of an app that does not present its identifier",
      alike: "caller",
      nobody: "invalid_token",
      make: () => aToken({ ...token, identifiers: ["com.example.reader"] }),
    },
    {
      title: "a user with a permission for a group to which nothing was distributed",
      ofGroup: true,
      secondFactor: factor,
      make: async () => {
        const user = await aGroupReader({ appId: place.appId });
        await withSecondFactor(user, factor);
        return user;
      },
    },
    { title: "a user whose role reaches nothing", secondFactor: factor, make: () => someone({}, factor) },
    {
      title: "an administrator who has not passed the second factor",
      admin: true,
      secondFactor: "pending",
      make: () => someone({ admin: true }, "pending"),
    },
    { title: "an administrator", admin: true, secondFactor: factor, make: () => someone({ admin: true }, factor) },
    ...earlier,
    {
      title: "an administrator without a second factor",
      admin: true,
      secondFactor: "off",
      make: () => someone({ admin: true }),
    },
    ...SCOPES.map((one) => ({
      ...holder(`${one} in all of the app`, { scopes: [one], place: "wholeApp" }),
      alike: "scope" as const,
    })),
    ...(scope === null
      ? [holder("every scope everywhere", { scopes: SCOPES, place: "everywhere" })]
      : [
          // Whom all of them together do not let in, none of them lets in.
          holder("every other scope in all of the app", { scopes: othersThan(scope), place: "wholeApp" }),
          holder("the scope everywhere", { scopes: [scope], place: "everywhere" }),
          holder("the scope at the target alone", { scopes: [scope], place: "target" }),
          holder("the scope everywhere, without a second factor", { scopes: [scope], place: "everywhere" }, "off"),
        ]),
    holder("every scope in another environment of the app", { scopes: SCOPES, place: "otherEnvironment" }),
    holder("every scope in another app", { scopes: SCOPES, place: "otherApp" }),
    {
      title: "a token of the target's environment",
      token: true,
      holds: { scopes: SCOPES, place: "target" },
      make: () => aToken(token),
    },
    {
      title: "a token of an app that presents its identifier",
      token: true,
      inApp: true,
      holds: { scopes: SCOPES, place: "target" },
      make: async () => {
        const made = await aToken({ ...token, identifiers: ["com.example.reader"] });
        return { ...made, headers: { ...made.headers, "x-app-identifier": "com.example.reader" } };
      },
    },
    {
      title: "a token of another environment of the app",
      alike: "token",
      token: true,
      holds: { scopes: SCOPES, place: "otherEnvironment" },
      make: () => aToken({ ...token, environmentId: elsewhere.siblingId }),
    },
    {
      title: "a token of another app",
      alike: "token",
      token: true,
      holds: { scopes: SCOPES, place: "otherApp" },
      make: () => aToken({ ...token, appId: elsewhere.appId, environmentId: elsewhere.environmentId }),
    },
    {
      title: "a token without scopes",
      alike: "token",
      token: true,
      holds: { scopes: [], place: "target" },
      make: () => aToken({ ...token, scopes: [] }),
    },
  ];
}

/** Callers whom operations refused, by their kind and by the place that they hold something at. */
const refusedCallers = new Map<string, Caller>();
/** Users who were refused, by their kind; with the place that their permission covers. */
const refusedHolders = new Map<string, { user: TestUser; place: string }>();

/** Lets the permissions of users cover other places, as if they had been made for them. */
async function movePermissions(moved: readonly { roleId: string; appId: string; environmentId: string | null }[]) {
  await queryRows(
    db,
    sql`
    UPDATE "RolePermissionTarget" t SET "appId" = m."appId", "environmentId" = m."environmentId"
    FROM "RolePermission" p, jsonb_to_recordset(${JSON.stringify(moved)}::jsonb)
      m("roleId" uuid, "appId" uuid, "environmentId" uuid)
    WHERE p."roleId" = m."roleId" AND t."permissionId" = p."id"`,
  );
}

/**
 * The callers whom an operation refuses. A refused call changes nothing, which the test checks, so the next operation that refuses
 * the same kind of caller has the same one, whose permission covers the places of that operation then.
 */
async function makeRefused(kinds: readonly Kind[], target: Target): Promise<Caller[]> {
  const callers: Caller[] = [];
  const moved: Parameters<typeof movePermissions>[0][number][] = [];
  for (const kind of kinds) {
    const { title, secondFactor, holds } = kind;
    const apps = holds && !kind.token ? appsAt(holds.place, target) : undefined;
    const isToken = kind.token || kind.nobody === "invalid_token";
    const isOfPlace = isToken || kind.ofGroup;
    const place = JSON.stringify(apps ?? (isOfPlace && [target.appId, target.environmentId]));
    if (!apps) {
      const key = JSON.stringify([title, secondFactor, holds, place]);
      const caller = refusedCallers.get(key) ?? (await kind.make());
      refusedCallers.set(key, caller);
      callers.push(caller);
      continue;
    }
    const key = JSON.stringify([title, secondFactor, holds]);
    const known = refusedHolders.get(key);
    const user = known?.user ?? ((await kind.make()) as TestUser);
    if (known && known.place !== place) {
      const [{ appId, environmentIds: [environmentId = null] = [] }] = apps;
      moved.push({ roleId: user.roleId, appId, environmentId });
    }
    refusedHolders.set(key, { user, place });
    callers.push(user);
  }
  if (moved.length > 0) await movePermissions(moved);
  return callers;
}

/** The kinds that an operation is called as: those whose answer is its own, and of those that are alike, some in turn. */
function chosenOf(kinds: readonly Kind[], turn: number): Kind[] {
  const alike = Map.groupBy(kinds, (kind) => kind.alike);
  const own = alike.get(undefined) ?? [];
  return [
    ...own,
    ...someOf(alike.get("caller") ?? [], turn, 2),
    ...someOf(alike.get("scope") ?? [], turn, 1),
    ...someOf(alike.get("token") ?? [], turn, 1),
  ];
}

/** An answer in a word: the code of a refusal, or "served". */
function outcome({ status, body }: Answer): string {
  return status < 400 ? "served" : (body.code ?? String(status));
}

/** What the operation's sample acts on, as the operation itself loads it for an administrator. */
async function targetOf(operation: Operation, sample: Sample): Promise<Target> {
  const nothing: Target = { appId: "", environmentId: null, active: true };
  if (!operation.target) return nothing;
  const loaded = vi.spyOn(operation, "target");
  const admin = await someone({ admin: true }, "passed");
  await (await sample.arrange(world, admin))(admin);
  const target = await loaded.mock.results.at(-1)?.value;
  loaded.mockRestore();
  return target ?? nothing;
}

describe.each(guarded)("%s", (key, operation) => {
  const sample = sampleOf(operation);
  const turn = guarded.findIndex(([one]) => one === key);
  let target: Target;

  beforeAll(async () => {
    await makePlaces();
    target = await targetOf(operation, sample);
  });

  it("refuses every kind of caller that it is not for and every stranger, and nothing changes", async () => {
    const all = kindsFor(operation, target).filter((kind) => expectedOfStranger(operation, kind, target) !== "served");
    const refused = chosenOf(all, turn);
    expect(refused.length).toBeGreaterThan(IS_WHOLE ? 9 : 3);
    const callers = await makeRefused(refused, target);
    const call = await sample.arrange(world, await someone({ admin: true }, "passed"));
    const before = await databaseFingerprint();
    const wrong: string[] = [];
    for (const [index, kind] of refused.entries()) {
      const got = outcome(await call(callers[index]));
      const wanted = expectedOfStranger(operation, kind, target);
      if (got !== wanted) wrong.push(`${kind.title}: ${got} instead of ${wanted}`);
    }
    expect(wrong).toEqual([]);
    expect(await databaseFingerprint()).toEqual(before);
  });

  it("serves every kind of caller that it is for", async () => {
    const all = kindsFor(operation, target).filter((kind) => expected(operation, kind, target) === "served");
    // Serving them is what takes the time: most need data of their own.
    const served = someOf(all, turn, 1);
    expect(served.length).toBeGreaterThan(0);
    // What a read acts on is the same for all, unless it belongs to the caller.
    const isShared = operation.method === "GET" && !isForUsers(operation) && !hasWord(operation.access, "own");
    const shared = isShared && (await sample.arrange(world, await someone({ admin: true }, "passed")));
    const wrong: string[] = [];
    for (const kind of served) {
      const caller = await kind.make();
      const call = shared || (await sample.arrange(world, caller));
      const answer = await call(caller);
      const got = outcome(answer);
      if (got !== "served") wrong.push(`${kind.title}: ${got}`);
      if (kind.ofGroup) {
        const releases = await db.release.findMany({ where: { environmentId: world.environmentId } });
        const text = JSON.stringify(answer.body ?? null);
        for (const { id } of releases) if (text.includes(id)) wrong.push(`${kind.title}: told of a release`);
      }
    }
    expect(wrong).toEqual([]);
  });
});

describe.each(linked)("%s", (_, operation) => {
  beforeAll(makePlaces);

  const past = () => ({ expiresAt: new Date(Date.now() - 1_000) });

  it("answers anyone with the link while it is valid", async () => {
    const call = await sampleOf(operation).arrange(world);
    expect(outcome(await call(ANONYMOUS))).toBe("served");
    await db.oneTimeToken.updateMany({ where: { purpose: operation.access.link }, data: past() });
    const callers = [ANONYMOUS, await someone({ admin: true }, "passed"), await someone({ admin: true }, "pending")];
    for (const caller of callers) expect(outcome(await call(caller))).toBe("link_expired");
  });

  it("refuses everyone without the link, and links for something else", async () => {
    const { token } = await issueToken(db, { purpose: "recovery", subject: world.admin.userId, now: new Date() });
    const callers = [
      ANONYMOUS,
      await someone({ admin: true }, "passed"),
      await aToken({ ...world.app, environmentId: world.environmentId, scopes: [...SCOPES] }),
    ];
    for (const caller of callers) {
      for (const wrong of [token, randomBytes(32).toString("base64url")]) {
        expect(outcome(await send(operation, caller, { token: wrong }))).toBe("invalid_token");
      }
    }
  });
});
