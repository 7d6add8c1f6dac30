import type { PublishingPlaces } from "@/lib/features/releases/schema";
import { FIRST_ENVIRONMENT, MAX_PLACE_NAME, NEW, type ReleaseValues } from "./release-values";

/**
 * The place that is proposed for an installer: where an upload of it was interrupted, otherwise the environment with the
 * latest release, otherwise what is added for it.
 *
 * @param displayName of the installer
 * @param interrupted the environments in which an upload of the file was interrupted
 */
export function proposedPlace(
  places: Pick<PublishingPlaces, "items">,
  displayName: string,
  interrupted: readonly string[],
): Pick<ReleaseValues, "appId" | "appName" | "environmentId" | "environmentName"> {
  const resumed = places.items.find(({ environments }) => environments.some(({ id }) => interrupted.includes(id)));
  const item = resumed ?? places.items[0];
  const resumedId = resumed?.environments.find(({ id }) => interrupted.includes(id))?.id;
  return {
    appId: item?.app.id ?? NEW,
    appName: item ? "" : displayName.trim().slice(0, MAX_PLACE_NAME),
    environmentId: resumedId ?? item?.proposedEnvironmentId ?? NEW,
    environmentName: FIRST_ENVIRONMENT,
  };
}
