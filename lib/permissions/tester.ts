import type { UserActor } from "./actor";
import { type Scope, withImplied } from "./scopes";

const TESTER_SCOPES: ReadonlySet<Scope> = new Set(["release:read", "release:download", "environment:read"]);

/** Whether a user only installs releases: the role manages nothing anywhere. */
export function isTester({ isAdmin, grants }: Pick<UserActor, "isAdmin" | "grants">): boolean {
  return !isAdmin && grants.every(({ scopes }) => withImplied(scopes).every((scope) => TESTER_SCOPES.has(scope)));
}
