import type { Scope } from "@/lib/permissions/scopes";

/** Scopes with where they hold: everywhere, or per app in all or some of its environments. */
export interface Grant {
  scopes: Scope[];
  apps: "all" | ReadonlyMap<string, "all" | ReadonlySet<string>>;
}

/** Scopes for the releases that were distributed to a group, in the environments of that group. */
export interface GroupGrant {
  scopes: Scope[];
  groupId: string;
  appId: string;
  environmentIds: "all" | ReadonlySet<string>;
}

interface AnonymousActor {
  kind: "anonymous";
  /** True where a session was presented that has ended. */
  expired: boolean;
}

export interface UserActor {
  kind: "user";
  userId: string;
  sessionId: string;
  /** When the session ends unless it is refreshed; Unix seconds. */
  exp: number;
  isAdmin: boolean;
  /** True where this session has passed a second factor. */
  secondFactor: boolean;
  /** When this session last proved it by a code of the app or a passkey; a recovery code does not count. */
  secondFactorConfirmedAt: Date | null;
  /** True if the user has switched two-factor authentication with an authenticator app on. */
  twoFactorEnabled: boolean;
  hasPasskey: boolean;
  grants: Grant[];
  /** Kept apart from `grants`, so that code which knows nothing of groups gives their holder nothing. */
  groups: readonly GroupGrant[];
}

export interface TokenActor {
  kind: "token";
  tokenId: string;
  name: string;
  appId: string;
  environmentId: string;
  /** Whether the environment and its app were active when the token was looked up. */
  isEnvironmentActive: boolean;
  /** When the token ends. */
  validUntil: Date;
  /** Which of the token's identifiers the caller presented; `server` for one that needs to present none. */
  identifier: string;
  grants: Grant[];
}

export type AuthenticatedActor = UserActor | TokenActor;

/** Who calls. Made by lib/auth/actor.ts alone. */
export type Actor = AnonymousActor | AuthenticatedActor;

type ActorIdentity = Pick<UserActor, "kind" | "userId"> | Pick<TokenActor, "kind" | "tokenId">;

/** The ID of the user or of the API token. */
export function actorId(actor: ActorIdentity): string {
  return actor.kind === "user" ? actor.userId : actor.tokenId;
}

/** The user or the API token that caused an event; neither for nobody. */
export function causeOf(actor: Actor): { userId: string | null; tokenId: string | null } {
  return {
    userId: actor.kind === "user" ? actor.userId : null,
    tokenId: actor.kind === "token" ? actor.tokenId : null,
  };
}

/** A user or an API token as the owner of rows: `user:<id>` or `token:<id>`. */
export function ownerOf(actor: ActorIdentity): string {
  return `${actor.kind}:${actorId(actor)}`;
}

/** With whom a caller shares the room of uploads: all tokens of an environment have one share. */
export function sharerOf(
  actor: Pick<UserActor, "kind" | "userId"> | Pick<TokenActor, "kind" | "environmentId">,
): string {
  return actor.kind === "user" ? actor.userId : actor.environmentId;
}

/** The identifier of a token that is kept on a server: its callers present none. */
export const SERVER_IDENTIFIER = "server";

/** The one role name that the product fixes. */
export const SUPER_ADMIN = "SUPER_ADMIN";
