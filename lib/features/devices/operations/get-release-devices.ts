import "server-only";
import { defineQuery } from "@/lib/api/operation";
import { releaseTarget } from "@/lib/features/releases/data/releases";
import { actorId } from "@/lib/permissions/actor";
import { scopesFor } from "@/lib/permissions/authorize";
import { listReleaseDevices } from "../data";
import { getReleaseDevicesInput, releaseDevicesOutput } from "../schema";

/**
 * Which devices of the people who may see a release its profile lists, and which it does not. Their UDIDs are not answered. Those who
 * may only read the release get their own devices, and of the others how many there are.
 */
export const getReleaseDevices = defineQuery({
  area: "devices",
  name: "get-release-devices",
  summary: "List the devices that the profile of a release covers, and those that it does not",
  access: "release:read",
  forGroups: true,
  input: getReleaseDevicesInput,
  output: releaseDevicesOutput,
  errors: [],
  target: ({ id }, db) => releaseTarget(db, id),
  handler({ input, db, actor, target }) {
    const isOwn = input.own || !scopesFor(actor, target).includes("release:update");
    // A token has no devices: its ID is no user's.
    return listReleaseDevices(db, target.release, { ...input, ...(isOwn && { userId: actorId(actor) }) });
  },
});
