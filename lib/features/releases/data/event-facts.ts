import "server-only";
import type { EventData } from "@/lib/kernel/events";
import type { ReleaseRow } from "./rows";

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
