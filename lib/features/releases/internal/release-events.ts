import "server-only";
import type { EnvironmentTarget } from "@/lib/features/environments/data";
import type { BrokenRule, RuledBuild } from "@/lib/features/rules/rules";
import type { Finding } from "@/lib/features/rules/schema";
import { env } from "@/lib/kernel/env";
import type { ConsoleEvent } from "@/lib/kernel/events";
import { contextPath, PAGES } from "@/lib/kernel/navigation/pages";
import type { AuthenticatedActor } from "@/lib/permissions/actor";
import { causeOf } from "@/lib/permissions/actor";
import { installUrl } from "../data/answers";
import { releaseFacts } from "../data/event-facts";
import type { ReleaseRow } from "../data/rows";
import { platformKindOf } from "../rules";

/** The event of a release that was published. */
export function publishedEvent(row: ReleaseRow, actor: AuthenticatedActor): ConsoleEvent {
  const { description, mandatory, size } = row;
  const data = { ...releaseFacts(row), description, mandatory, size, by: causeOf(actor), url: installUrl(row.id) };
  return { type: "release.published", appId: row.environment.app.id, data };
}

/** The event of a release that was deleted. */
export function deletedEvent(row: ReleaseRow, actor: AuthenticatedActor): ConsoleEvent {
  return { type: "release.deleted", appId: row.environment.app.id, data: { ...releaseFacts(row), by: causeOf(actor) } };
}

/** The event of a build that was refused because it breaks rules. */
export function refusedEvent(
  { app, environment }: EnvironmentTarget,
  build: RuledBuild & { identifier: string; displayName: string },
  { broken, actor }: { broken: readonly BrokenRule[]; actor: AuthenticatedActor },
): ConsoleEvent {
  const { version, buildNumber, identifier, displayName, installer } = build;
  const data = {
    app: { id: app.id, name: app.name },
    environment: { id: environment.id, name: environment.name },
    build: { version, buildNumber, identifier, displayName, platform: platformKindOf(installer.kind) },
    releaseId: null,
    outcome: "refused" as const,
    rules: broken.map(({ rule, params }) => ({ rule, params })),
    by: causeOf(actor),
    url: `${env.APP_URL}${contextPath(PAGES.releases, app.id, environment.id)}`,
  };
  return { type: "rule.violated", appId: app.id, data };
}

/** The events of a release that was published although it breaks rules; none if it breaks none. */
export function violatedEvents(
  row: ReleaseRow,
  findings: readonly Finding[],
  actor: AuthenticatedActor,
): ConsoleEvent[] {
  if (findings.length === 0) return [];
  const { release, ...place } = releaseFacts(row);
  const { id, ...build } = release;
  const data = {
    ...place,
    build,
    releaseId: id,
    outcome: findings.some(({ overridden }) => overridden) ? ("overridden" as const) : ("warned" as const),
    rules: findings.map(({ rule, params }) => ({ rule, params })),
    by: causeOf(actor),
    url: installUrl(id),
  };
  return [{ type: "rule.violated", appId: place.app.id, data }];
}
