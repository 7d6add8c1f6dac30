/** Every scope that a role or an API token can hold. */
export const SCOPES = [
  "release:read",
  "release:download",
  "release:create",
  "release:update",
  "release:delete",
  "environment:read",
  "environment:write",
  "dev-variable:read",
  "dev-variable:write",
  "secure-variable:read",
  "secure-variable:write",
  "secure-certificate:read",
  "secure-certificate:write",
] as const;

export type Scope = (typeof SCOPES)[number];

/** The scopes that a permission for the releases of groups can have: what testers do. All else is about whole environments. */
export const GROUP_SCOPES = ["release:read", "release:download"] as const satisfies readonly Scope[];

/** Whether a permission for the releases of groups can have a scope. */
export function isGroupScope(scope: Scope): boolean {
  return (GROUP_SCOPES as readonly Scope[]).includes(scope);
}

/** The scopes that come with one: writing anything means reading it. */
export function impliedScopes(scope: Scope): Scope[] {
  const read = `${scope.slice(0, scope.indexOf(":"))}:read` as Scope;
  return scope === read ? [scope] : [scope, read];
}

/** A set of scopes with all that they imply, in the table's order. */
export function withImplied(scopes: readonly Scope[]): Scope[] {
  const held = new Set(scopes.flatMap(impliedScopes));
  return SCOPES.filter((scope) => held.has(scope));
}

/** Whether a text from the database or from outside is a scope. */
export function isScope(text: string): text is Scope {
  return (SCOPES as readonly string[]).includes(text);
}
