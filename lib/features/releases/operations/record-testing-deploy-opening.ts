import "server-only";
import { z } from "zod";
import { defineBodyQuery } from "@/lib/api/operation";
import { scopesFor } from "@/lib/permissions/authorize";
import { recordUse } from "@/lib/testers/distributions";
import { recordOpening, recordPublisherOpening } from "../data/openings";
import { releaseTarget } from "../data/releases";
import { recordReleaseOpeningInput } from "../schema";

/**
 * Records that a person sees the page of a release, as a download records itself: it is no change of the release, and leaves no
 * audit record. The page calls it once it is visible, so that prefetched pages do not count. Calls with an API token do not count.
 * Calls of people who can publish there are kept apart, and only tell those who share the release that its link works: openings tell
 * whether others have seen it. Someone to whom the release was distributed is kept as having opened it.
 */
export const recordTestingDeployOpening = defineBodyQuery({
  area: "apps",
  name: "record-testing-deploy-opening",
  summary: "Record that the caller sees the page of a release",
  access: "release:read",
  input: recordReleaseOpeningInput,
  /** `recorded` is false if it was opened on such a device just before, or if the caller is an API token. */
  output: z.object({ recorded: z.boolean() }),
  errors: [],
  target: (input, db) => releaseTarget(db, input.id),
  async handler({ input: { device, osVersion = null }, target, actor, request, db }) {
    if (actor.kind !== "user") return { recorded: false };
    const { userId } = actor;
    await recordUse(db, { releaseId: target.release.id, userId, at: request.now, kind: "openedAt" });
    const opening = { releaseId: target.release.id, device, osVersion, at: request.now };
    const canPublish = scopesFor(actor, target).includes("release:create");
    return { recorded: await (canPublish ? recordPublisherOpening : recordOpening)(db, opening) };
  },
});
