import "server-only";
import type { ConsoleEvent } from "@/lib/kernel/events";
import type { AuthenticatedActor } from "@/lib/permissions/actor";
import { causeOf } from "@/lib/permissions/actor";
import { installUrl } from "../data/answers";
import { releaseFacts } from "../data/event-facts";
import type { ReleaseRow } from "../data/rows";

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
