import "server-only";
import { MAX_LIMIT } from "@/lib/api/list";
import { defineQuery } from "@/lib/api/operation";
import { findAcceptingApps, findAppWithIdentifier } from "@/lib/features/environments/data";
import { listPlatforms } from "@/lib/features/platforms/data";
import { getPlatformsInput } from "@/lib/features/platforms/schema";
import { scopesFor } from "@/lib/permissions/authorize";
import { newestReleasesByApp } from "../data/latest";
import { getPublishingPlacesInput, publishingPlacesSchema } from "../schema";

/**
 * The applications and environments in which the caller may publish an installer, found by its identifier, and whether the
 * caller may add what is missing. The console proposes them for a file that is dropped on a page.
 */
export const getPublishingPlaces = defineQuery({
  area: "apps",
  name: "get-publishing-places",
  summary: "Find where an installer can be published, by its identifier",
  access: { anyTarget: "release:create" },
  input: getPublishingPlacesInput,
  output: publishingPlacesSchema,
  errors: [],
  async handler({ input, actor, db }) {
    const isAdmin = actor.kind === "user" && actor.isAdmin;
    const [apps, platforms] = await Promise.all([
      findAcceptingApps(db, input.identifier),
      listPlatforms(db, getPlatformsInput.parse({ status: "active", limit: MAX_LIMIT })),
    ]);
    const mayAdd = isAdmin && apps.length === 0;
    const holder = mayAdd ? await findAppWithIdentifier(db, input.identifier) : null;
    const places = apps
      .map(({ app, environments }) => ({
        app: { id: app.id, name: app.name, identifier: app.identifier },
        environments: environments
          .filter(({ id }) => scopesFor(actor, { appId: app.id, environmentId: id }).includes("release:create"))
          .map(({ id, name }) => ({ id, name })),
        mayCreateEnvironment:
          app.identifier === input.identifier &&
          mayPublishTo(scopesFor(actor, { appId: app.id, environmentId: null, wholeApp: true })),
      }))
      .filter(({ environments, mayCreateEnvironment }) => environments.length > 0 || mayCreateEnvironment);
    const newest = await newestReleasesByApp(
      db,
      places.flatMap(({ app, environments }) => environments.map(({ id }) => ({ id, appId: app.id }))),
    );
    const environmentOf = new Map(newest.map(({ environment }) => [environment.app.id, environment.id]));
    return {
      items: places.map((place) => ({
        ...place,
        proposedEnvironmentId: environmentOf.get(place.app.id) ?? place.environments[0]?.id ?? null,
      })),
      mayCreateApp: mayAdd && holder === null,
      inactiveApp: holder?.status === "inactive" ? { id: holder.id, name: holder.name } : null,
      platforms: platforms.rows.map(({ id, name, kind }) => ({ id, name, kind })),
    };
  },
});

/** Whether someone may add an environment to an app and publish in it. */
function mayPublishTo(scopes: readonly string[]): boolean {
  return scopes.includes("environment:write") && scopes.includes("release:create");
}
