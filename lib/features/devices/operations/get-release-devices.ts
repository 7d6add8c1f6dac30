import "server-only";
import { defineQuery } from "@/lib/api/operation";
import { releaseTarget } from "@/lib/features/releases/data/releases";
import { actorId } from "@/lib/permissions/actor";
import { listReleaseDevices } from "../data";
import { getReleaseDevicesInput, releaseDevicesOutput } from "../schema";

/** Which devices of the people who may see a release its profile lists, and which it does not. Their UDIDs are not answered. */
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
  handler: ({ input, db, actor, target: { release } }) =>
    // A token has no devices: its ID is no user's.
    listReleaseDevices(db, release, { ...input, ...(input.own && { userId: actorId(actor) }) }),
});
