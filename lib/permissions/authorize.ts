import { ApiError } from "@/lib/kernel/errors";
import {
  type Actor,
  type AuthenticatedActor,
  type Grant,
  type GroupGrant,
  ownerOf,
  SERVER_IDENTIFIER,
  type TokenActor,
  type UserActor,
} from "@/lib/permissions/actor";
import type { HeldGrants } from "./reach";
import { isScope, type Scope, withImplied } from "./scopes";
import type { SecondFactorRule } from "./second-factor";

/**
 * Who may call an operation.
 * - `public`: anyone
 * - `partial-session`: a signed-in user, also before the second factor that they have switched on. Every other access but
 *   `public` is refused until then.
 * - `user`: a signed-in user · `admin`: one with the role SUPER_ADMIN
 * - a scope: a user or token that holds it for the operation's target
 * - `any-scope`: a user or token that holds any scope for the target
 * - `anyTarget`: a user or token that holds the scope for at least one target
 * - `client`: a token with the scope (or `any-scope`), and with `server` one that is kept on a server. The target is the
 *   token's own environment, which must be active.
 * - `own`: the owner of the operation's target, which it names; a user, or with `anyTarget` a user or token with the scope
 * - `link`: anyone with a link, whose token is the input's field `token`
 *
 * What it requires of a user's second factor is declared apart from it; see `SecondFactorRule`.
 */
export type Access =
  | "public"
  | UserAccess
  | "any-scope"
  | Scope
  | { anyTarget: Scope }
  | ClientAccess
  | { own: string }
  | { own: string; anyTarget: Scope }
  | { link: LinkPurpose };

/** What a link gives access to. */
export type LinkPurpose = "manifest" | "installer";

/** What is for people and not for API tokens. */
type UserAccess = "partial-session" | "user" | "admin";

/** What is for API tokens and not for people. */
type ClientAccess = { client: Scope | "any-scope"; server?: true };

/** Who calls an operation with some access, once it was checked. */
export type ActorOf<A extends Access> = A extends "public" | { link: LinkPurpose }
  ? Actor
  : A extends UserAccess
    ? UserActor
    : A extends ClientAccess
      ? TokenActor
      : A extends { own: string }
        ? A extends { anyTarget: Scope }
          ? AuthenticatedActor
          : UserActor
        : AuthenticatedActor;

/** What an operation acts on, as loaded from the database. */
export interface Target {
  appId: string;
  /** Null if the operation concerns the app as a whole. */
  environmentId: string | null;
  /** True if the operation changes the app itself: a scope counts only if it is held in all of the app. */
  wholeApp?: true;
  /** False if the app or the environment is switched off. */
  active: boolean;
  /**
   * Which permissions for groups count here: of a release, those for the groups that it was distributed to; `any` where the
   * operation itself limits its answer to the releases of the caller's groups. Left out, none.
   */
  groups?: "any" | readonly string[];
  /** What this call needs beside what the operation declares, because of its input. */
  requires?: readonly Requirement[];
}

/** An access to a target that depends on the input of a call, such as on the kind of variables that it names. */
export interface Requirement {
  access: Access;
  secondFactor?: SecondFactorRule;
  /** Where it is needed, if not at the target of the call, such as at the place that something is copied from. */
  target?: Target;
}

/** What an operation acts on, if it belongs to a user or an API token, as loaded from the database. */
export interface OwnedTarget {
  /** As `ownerOf` gives it. */
  owner: string;
  /** Where the owner must hold the scope of the access still; left out, anywhere. */
  place?: Target;
}

/** The place of a target. */
export type Place = Pick<Target, "appId" | "environmentId" | "wholeApp" | "groups">;

function grantCovers(grant: Grant, target: Place): boolean {
  if (grant.apps === "all") return true;
  const environments = grant.apps.get(target.appId);
  if (environments === undefined) return false;
  if (target.wholeApp) return environments === "all";
  // A grant for a single environment lets its holder know the app, not the app's other environments.
  return target.environmentId === null || environments === "all" || environments.has(target.environmentId);
}

/** What a user holds by permissions for groups. Nobody else has any. */
function groupGrants(actor: Actor): readonly GroupGrant[] {
  return actor.kind === "user" ? actor.groups : [];
}

function groupGrantCovers({ groupId, appId, environmentIds }: GroupGrant, target: Place): boolean {
  const { groups, environmentId } = target;
  if (groups === undefined || target.wholeApp || appId !== target.appId) return false;
  if (groups !== "any" && !groups.includes(groupId)) return false;
  return environmentId === null || environmentIds === "all" || environmentIds.has(environmentId);
}

/** The grants of a caller for groups; those that count for an app, or for one environment of it, if one is named. */
export function groupsFor(
  actor: Actor | HeldGrants,
  place?: Pick<Target, "appId" | "environmentId">,
): readonly GroupGrant[] {
  const groups = actor.kind === "grants" ? (actor.groups ?? []) : groupGrants(actor);
  return place ? groups.filter((grant) => groupGrantCovers(grant, { ...place, groups: "any" })) : groups;
}

/**
 * The scopes that an actor holds for an app (in any environment of it, or in all of it), for one environment, or for a release of
 * it.
 */
export function scopesFor(actor: Actor, target: Place): Scope[] {
  if (actor.kind === "anonymous") return [];
  const held = [
    ...actor.grants.filter((grant) => grantCovers(grant, target)),
    ...groupGrants(actor).filter((grant) => groupGrantCovers(grant, target)),
  ];
  return withImplied(held.flatMap(({ scopes }) => scopes));
}

/** A target of an operation that limits its answer to the releases of the caller's groups. */
export function forAnyGroup<T extends Target>(target: T | null): (T & { groups: "any" }) | null {
  return target && { ...target, groups: "any" };
}

/** All that an actor holds, wherever it is. */
function heldScopes(actor: Actor): Scope[] {
  if (actor.kind === "anonymous") return [];
  return withImplied([...actor.grants, ...groupGrants(actor)].flatMap(({ scopes }) => scopes));
}

/** Whether an actor holds a scope for at least one target. */
export function holdsSomewhere(actor: Actor, scope: Scope): boolean {
  return heldScopes(actor).includes(scope);
}

function holdsAnyScope(actor: Actor): boolean {
  return heldScopes(actor).length > 0;
}

/** Whether someone has switched on a second factor that this session has not passed. */
export function isSecondFactorPending(actor: Actor): boolean {
  return actor.kind === "user" && actor.twoFactorEnabled && !actor.secondFactor;
}

/**
 * As whom someone calls an operation: to what is open to anyone, a person on the way through the second factor is
 * nobody yet. Permissions for groups count where the operation declares that it limits itself to their releases, and nowhere else.
 */
export function effectiveActor({ access, forGroups }: { access: Access; forGroups?: true }, actor: Actor): Actor {
  if (isOpen(access) && isSecondFactorPending(actor)) return { kind: "anonymous", expired: false };
  return actor.kind === "user" && !forGroups && actor.groups.length > 0 ? { ...actor, groups: [] } : actor;
}

/** Whether an operation has callers who are not signed in. */
export function isOpen(access: Access): boolean {
  return access === "public" || (typeof access === "object" && "link" in access);
}

/** Whether a person may call an operation. */
export function admitsUsers(access: Access): boolean {
  return typeof access === "string" || !("client" in access);
}

/** Whether an API token may call an operation; what is for people, and for administrators among them, is for no token. */
export function admitsTokens(access: Access): boolean {
  if (typeof access === "object") return !("own" in access) || "anyTarget" in access;
  return access !== "partial-session" && access !== "user" && access !== "admin";
}

/** Whether the access to an operation depends on its target. */
export function dependsOnTarget(access: Access): boolean {
  if (typeof access === "object") return !("anyTarget" in access) || "own" in access;
  return access === "any-scope" || isScope(access);
}

function isForAnyScope(access: Access): boolean {
  return access === "any-scope" || (typeof access === "object" && "client" in access && access.client === "any-scope");
}

/** The scope that an access requires for the target; null if it requires none. */
function targetScope(access: Access): Scope | null {
  const scope = typeof access === "object" && "client" in access ? access.client : access;
  return typeof scope === "string" && isScope(scope) ? scope : null;
}

/**
 * The refusal of a caller. A token has scopes and identifiers, and no role.
 * @param missing the scope that it lacks
 */
function forbidden({ kind }: Actor, missing: Scope | null = null): ApiError {
  if (kind !== "token") return new ApiError("forbidden", { detailKey: "detail" });
  if (missing === null) return new ApiError("forbidden", { detailKey: "detailToken" });
  return new ApiError("forbidden", { detailKey: "detailTokenScope", params: { scope: missing } });
}

/**
 * What can be decided before the input is read: whether anyone is there, and whether they have the kind of right that
 * does not depend on a target.
 * @throws ApiError not_authenticated, forbidden, two_factor_required
 */
export function authorizeCaller(access: Access, actor: Actor): void {
  if (isOpen(access)) return;
  if (actor.kind === "anonymous") throw new ApiError(actor.expired ? "session_expired" : "not_authenticated");
  if (access !== "partial-session" && isSecondFactorPending(actor)) throw new ApiError("two_factor_required");
  if (!admitsTokens(access)) {
    if (actor.kind !== "user") throw new ApiError("forbidden", { detailKey: "detailUser" });
    if (access === "admin" && !actor.isAdmin) throw forbidden(actor);
  } else if (typeof access === "object" && "anyTarget" in access) {
    if (!holdsSomewhere(actor, access.anyTarget)) throw forbidden(actor, access.anyTarget);
  } else if (typeof access === "object" && "client" in access) {
    if (actor.kind !== "token") throw forbidden(actor);
    if (access.server && actor.identifier !== SERVER_IDENTIFIER) throw forbidden(actor);
    const { client } = access;
    if (client === "any-scope" ? !holdsAnyScope(actor) : !holdsSomewhere(actor, client)) {
      throw forbidden(actor, client === "any-scope" ? null : client);
    }
  }
}

/**
 * Whether a caller may send a file or raw bytes at all: they must hold the operation's scope for some target, which is
 * decided before a byte is read. The refusal cannot tell targets apart, and for a caller without any scope it is the
 * one that every target would give.
 * @throws ApiError not_found, forbidden
 */
export function authorizeUpload(access: Access, actor: Actor): void {
  const scope = targetScope(access);
  if (scope === null || holdsSomewhere(actor, scope)) return;
  throw holdsAnyScope(actor) ? forbidden(actor, scope) : new ApiError("not_found");
}

function isOwner(actor: Actor, target: Target | OwnedTarget): boolean {
  return actor.kind !== "anonymous" && "owner" in target && target.owner === ownerOf(actor);
}

/**
 * The one check of rights on a target. A caller who holds nothing there, or does not own it, is told that it does not
 * exist.
 * @param target as loaded from the database; null if there is none
 * @throws ApiError not_found, forbidden, link_expired
 */
export function authorizeTarget(access: Access, actor: Actor, target: Target | OwnedTarget | null): void {
  if (typeof access === "object" && "link" in access) {
    if (target === null || !("active" in target) || !target.active) throw new ApiError("link_expired");
    return;
  }
  if (target === null) throw new ApiError("not_found");
  if (typeof access === "object" && "own" in access) {
    if (!isOwner(actor, target)) throw new ApiError("not_found");
    if ("anyTarget" in access && "place" in target && target.place) {
      authorizeTarget(access.anyTarget, actor, target.place);
    }
    return;
  }
  if ("owner" in target) throw new ApiError("not_found");
  const scope = targetScope(access);
  for (const further of target.requires ?? []) {
    authorizeTarget(further.access, actor, { ...(further.target ?? target), requires: [] });
  }
  if (scope === null && !isForAnyScope(access)) return;
  // What is there to be known does not depend on how much of the app the operation changes.
  const { appId, environmentId, groups } = target;
  const known = scopesFor(actor, { appId, environmentId, groups });
  const isAdmin = actor.kind === "user" && actor.isAdmin;
  // A caller who may turn it on again still sees it.
  const seesInactive = admitsUsers(access) && (isAdmin || known.includes("environment:write"));
  if (known.length === 0 || (!target.active && !seesInactive)) throw new ApiError("not_found");
  if (scope !== null && !scopesFor(actor, target).includes(scope)) throw forbidden(actor, scope);
}
