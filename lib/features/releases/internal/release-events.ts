import "server-only";
import type { ConsoleEvent, EventData } from "@/lib/kernel/events";
import type { AuthenticatedActor } from "@/lib/permissions/actor";
import { causeOf } from "@/lib/permissions/actor";
import { installUrl } from "../data/answers";
import type { ReleaseRow } from "../data/rows";

type ReleaseFacts = Pick<EventData<"release.deleted">, "app" | "environment" | "release">;

/** What every event of a release says of it. */
export function releaseFacts(row: ReleaseRow): ReleaseFacts {
  const { app, id, name } = row.environment;
  const { version, buildNumber, identifier, displayName, platform } = row;
  return {
    app: { id: app.id, name: app.name },
    environment: { id, name },
    release: { id: row.id, version, buildNumber, identifier, displayName, platform: platform.kind },
  };
}

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
